# Two ways in, both from a clean clone:
#   make         build, and say whether this machine's line is alive
#   make test    build and run every test
# The rest is for those who work on Dialtone.

SWIFT ?= swift

# So many tests at once: each has namespaces of its own, which contend for one lock of the kernel.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 6

# Tests that hold something to a time. They run after the others, one at a time.
TIMED_TESTS = OverflowTests

.PHONY: status test lab lab-build lab-run bench fuzz soak sanitize sanitize-address sanitize-thread release format lint setup clean

status: setup-build
	@$(SWIFT) build --product dialtone
	@# 1 to 4 are answers (offline, portal, limited, unknown), not failures.
	@.build/debug/dialtone || test $$? -le 4

# Tests make network namespaces. Root may; anybody else may inside a user namespace, where the system allows that.
test: setup
	@Scripts/in-user-namespace $(SWIFT) test --enable-all-traits --skip '$(TIMED_TESTS)'
	@$(MAKE) --no-print-directory test-timed

.PHONY: test-timed
test-timed:
	@Scripts/in-user-namespace $(SWIFT) test --enable-all-traits --skip-build --no-parallel --filter '$(TIMED_TESTS)'

# Boots Debian's kernel with simulated radios and modems in an emulated machine, and runs the end-to-end scenarios there.
# `make lab LAB="WireGuard modem"` runs those whose names contain one of the words.
# Its two halves, building the guest and the scenarios, and booting, are separate: `make lab-build` and `make lab-run`.
lab: lab-build lab-run

lab-build: setup-swift
	@Tests/Lab/build
	@$(SWIFT) build --product LabProbe

lab-run:
	@Tests/Lab/run $(LAB)

# What it costs, beside what its peers cost. `make bench BENCH="latency idle"` runs these; `make bench QUICK=1` only shows
# that all of them run.
bench: setup-swift
	@Benchmarks/run $(if $(QUICK),--quick) $(BENCH)

# Fuzzes what reads strangers' bytes, each reader for SECONDS: `make fuzz SECONDS=300 READERS="netlink http"`.
fuzz: setup-swift
	@Fuzzing/run $(or $(SECONDS),30) $(READERS)

# An hour, or SOAK_SECONDS, of random churn; fails when memory, threads or descriptors are not flat.
soak: setup-swift
	@Scripts/soak

sanitize: sanitize-address sanitize-thread

# Runs every test under the address sanitizer.
sanitize-address: setup
	@Scripts/in-user-namespace Scripts/sanitize-address

# Runs every test under the thread sanitizer, after showing that it still finds a race.
sanitize-thread: setup
	@Scripts/in-user-namespace Scripts/sanitize-thread

# The Swift runtime goes into the program: it starts in half the time, and runs where there is no Swift.
release: setup-build
	@$(SWIFT) build -c release --static-swift-stdlib --product dialtone

format:
	@$(SWIFT) format -i -r Package.swift Sources Tests Snippets Examples Benchmarks/Package.swift Benchmarks/Sources \
		Fuzzing/Package.swift Fuzzing/Sources/Fuzz/Fuzz.swift

lint:
	@$(SWIFT) format lint --strict -r Package.swift Sources Tests Snippets Examples Benchmarks/Package.swift \
		Benchmarks/Sources Fuzzing/Package.swift Fuzzing/Sources/Fuzz/Fuzz.swift

setup: setup-swift
	@Scripts/setup

# What the command is built with.
.PHONY: setup-build
setup-build: setup-swift
	@Scripts/setup build

.PHONY: setup-swift
setup-swift:
	@command -v $(SWIFT) >/dev/null || { echo "Swift 6.2 or later is needed: https://www.swift.org/install" >&2; exit 1; }

clean:
	@rm -rf .build
