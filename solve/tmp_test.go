package solve
import ("testing";"time";"digitduel/digit";"runtime";"context")
func TestTmp(t *testing.T) {
	for _, text := range []string{"dilemma pool=0-f width=8","sevens pool=0-f width=8 target=9999", "divisibility pool=0-f final=below,higher", "dilemma width=8 pool=0-f target=9999", "divisibility pool=0-f target=9999 final=below,higher", "dilemma pool=0-f width=8 target=9998 zero=barred"} {
		r, err := digit.ParseRules(text)
		if err != nil { t.Log(err); continue }
		start := time.Now()
		size, err := Estimate(context.Background(), r)
		t.Log(text, size, time.Since(start), err)
		start = time.Now()
		s, err := Solve(context.Background(), r, Options{})
		var ms runtime.MemStats
		runtime.ReadMemStats(&ms)
		t.Log(text, time.Since(start), err, ms.Sys>>20)
		if err == nil { t.Log(s.CountPositions(), s.Value(digit.Position{}), ms.HeapSys>>20) }
	}
}
