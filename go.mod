module digitduel

go 1.26
