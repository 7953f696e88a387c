module dialtone/benchmarks/contender

go 1.19
