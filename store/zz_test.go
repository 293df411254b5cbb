package store
import ("testing";"digitduel/store/pgtest";"os";"path/filepath")
func BenchmarkZZ(b *testing.B) {
	dsn := pgtest.Start(b)
	d := openAt(b, dsn+os.Getenv("EXTRA"), Options{})
	benchmarkAppend(b, d, os.Getenv("TIMED")!="")
	logs, _ := filepath.Glob("/tmp/pg*/log")
	for _, l := range logs { t,_ := os.ReadFile(l); os.WriteFile("/tmp/h-store/pg.log", t, 0o644) }
}
