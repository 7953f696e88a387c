# The two main targets, both from a clean clone:
#   make         builds the program `dialtone`, and prints whether this machine is online
#   make test    builds the tests and runs them; CONTRIBUTING.md lists what else there is
# The other targets are for contributors.

SWIFT ?= swift
export SWIFT

.PHONY: status test docs check-apple lab lab-build lab-run lab-networks bench fuzz soak sanitize sanitize-address sanitize-thread release image library python test-library format lint setup clean

# The times are those of two cores.
status: setup-swift
	@[ -x .build/command/debug/dialtone ] || echo "Building the command takes about two minutes the first time: packages are fetched."
	@start=$$(date +%s); Scripts/swift build --product dialtone && \
		echo "Built .build/command/debug/dialtone in $$(($$(date +%s) - start)) s. It says about this machine:"
	@# Statuses 1 to 4 are answers (offline, portal, limited, unknown), not failures.
	@.build/command/debug/dialtone || test $$? -le 4

# Tests create network namespaces. This needs root, or a user namespace where the system allows it.
TIERS = test-logic test-real test-timed test-networks
test: setup
	@[ -e .build/command/debug/dialtonePackageTests.xctest ] || echo "Building the tests takes about five minutes the first time."
	@echo "The tests take about five minutes after that; the first tier, which has most of them, less than one."
	@Scripts/build-tests
	@Scripts/test-tiers $(TIERS)

.PHONY: test-logic test-real test-timed test-networks
TEST = Scripts/in-user-namespace Scripts/with-temporary-directory Scripts/swift test --enable-all-traits --skip-build
SYSTEM = DialtoneCommandTests[.](NetworkTests|RequestTests|DayTests)/

# The tests without a network and in virtual time.
test-logic:
	@Scripts/test-logic

# At most eight at once: hundreds that share two processors take as long, and their time limits pass. It skips what the logic tier
# has just run; without that it has those tests too.
test-real:
	@skips=$$(Scripts/test-logic --skips) && SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 \
		$(TEST) --skip '[.]Timed' --skip '$(SYSTEM)' $$skips

# The suites whose names begin with `Timed` check a time limit, or need the whole machine: they run after the others, one
# test at a time. That of hop lines takes more than a minute, and runs with `make day`.
test-timed:
	@$(TEST) --no-parallel --filter '[.]Timed' --skip '[.]TimedHopLineTests/'

# Eight networks that differ in kind, with all tools: see `make networks`.
test-networks:
	@SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 $(TEST) --filter 'DialtoneCommandTests[.]NetworkTests/'

# Serves the dashboard of a simulated network, whose state a line of standard input chooses: `make demo DEMO="--listen 127.0.0.1:0"`.
.PHONY: demo
demo: setup-build
	@Scripts/swift build --product DialtoneDemo --enable-all-traits
	@.build/command/debug/DialtoneDemo $(DEMO)

# Makes networks with faults in namespaces, and compares what every tool concludes about each of them:
# `make networks ONLY=silent` makes those whose names contain the word. With `TOOLS=one`, each network runs one of the tools.
# It needs tunnels: /dev/net/tun.
.PHONY: networks
networks: setup
	@$(if $(TOOLS),DIALTONE_TABLE_TOOLS=$(TOOLS)) Scripts/in-user-namespace Scripts/with-temporary-directory Scripts/network-table \
		networks $(if $(TOOLS),NetworkTests=8 RequestTests=8,NetworkTests=2 RequestTests=6) $(if $(ONLY),"$(ONLY)")

# Writes docs/networks.md: what is broken in each network, what Dialtone says about it, and what other tools say in the same namespace.
# `make network-table ONLY=proxy` makes those networks again, and keeps the others of the last run in .build/peers.
.PHONY: network-table
network-table: setup
	@command -v curl NetworkManager dbus-daemon >/dev/null || { echo "make network-table: install the tools to compare with: Scripts/network-peers names their packages" >&2; exit 69; }
	@$(if $(ONLY),,rm -rf .build/peers &&) mkdir -p .build/peers && chmod 777 .build/peers
	@DIALTONE_PEERS=$(CURDIR)/.build/peers Scripts/in-user-namespace Scripts/with-temporary-directory Scripts/network-table \
		networks NetworkTests=4 $(if $(ONLY),"$(ONLY)") || true
	@Scripts/network-document .build/peers

# Stores the facts of networks, real ones and in memory, as cases for the rules that they meet and no stored case does, and replaces
# the conclusions of all cases by those of the rules: read what it changed.
.PHONY: cases
cases: setup
	@rm -rf .build/facts && mkdir -p .build/facts && chmod 777 .build/facts
	@DIALTONE_FACTS=$(CURDIR)/.build/facts Scripts/in-user-namespace Scripts/with-temporary-directory Scripts/network-table networks NetworkTests=8
	@for suite in StoredCaseTests RandomNetworkTests; do \
		DIALTONE_WRITE_CASES=1 DIALTONE_SIMULATIONS=20000 DIALTONE_FACTS=$(CURDIR)/.build/facts Scripts/with-temporary-directory \
			Scripts/swift test --enable-all-traits --skip-build --filter "DialtoneTests[.]$$suite/"; done

# Generates networks in memory with up to two random faults, and compares what a check concludes with what is broken: a million, or
# `make simulate COUNT=10000`. `make simulate SEED=7` prints one of them, with its facts. The logic tier has the first thousand.
# Each process has 100,000, so that the memory that it needs has a bound. Then days of random faults, a year of them or DAYS; the logic
# tier has half a day.
.PHONY: simulate
simulate: setup
	@Scripts/build-tests
	@set -e; first=$(or $(SEED),0); end=$$(($(if $(SEED),$(SEED) + 1,$(or $(COUNT),1000000)))); \
	while [ $$first -lt $$end ]; do \
		next=$$((first + 100000 < end ? first + 100000 : end)); \
		DIALTONE_SEEDS="$$first..<$$next" Scripts/with-temporary-directory Scripts/swift test --enable-all-traits --skip-build \
			--filter 'DialtoneTests[.]RandomNetworkTests/'; \
		first=$$next; \
	done
	@$(if $(SEED),,DIALTONE_DAYS=$(or $(DAYS),365) Scripts/with-temporary-directory Scripts/swift test --enable-all-traits --skip-build \
		--filter 'DialtoneServerTests[.]RandomDayTests/')

# Plays homes with one fault after the other, and compares the history with what was true: `make day ONLY=silent` as above.
# With `HOMES=one`, it plays a short one. Without either it also compares the line of a hop with the link's own log.
.PHONY: day
day: setup
	@$(if $(HOMES),DIALTONE_TABLE_HOMES=$(HOMES)) $(if $(HOUR),DIALTONE_HOUR=$(HOUR)) Scripts/in-user-namespace Scripts/with-temporary-directory Scripts/network-table \
		day DayTests=8 $(if $(HOMES)$(ONLY),,TimedHopLineTests=1) $(if $(ONLY),"$(ONLY)")

# Type-checks what Apple's platforms compile, on Linux, against declarations of Apple's frameworks: see its README.
check-apple: setup-swift
	@command -v python3 >/dev/null || { echo "python3 is needed for this" >&2; exit 1; }
	@DIALTONE_COMMAND=1 Tests/AppleTypecheck/run

# Checks what Linux with musl compiles, against its headers, and that a static program does not pretend to verify HTTPS.
.PHONY: check-musl
check-musl: setup-swift
	@Scripts/setup musl
	@Tests/Musl/run

# Builds the reference of every product and the articles as a website in .build/documentation, and checks its links.
# `make docs BASE=/dialtone` builds it for a server where it is in that folder.
docs: setup-build
	@command -v python3 >/dev/null || { echo "python3 is needed for this" >&2; exit 1; }
	@Scripts/documentation $(if $(BASE),--base $(BASE))

# Boots Debian's kernel with simulated radios and modems in an emulated machine, and runs the end-to-end scenarios in it.
# `make lab LAB="WireGuard modem"` runs those whose names contain one of the words.
# `make lab-build` builds the guest and the scenarios; `make lab-run` boots the guest and runs them; `make lab-networks` makes the
# networks whose kinds of links many kernels lack.
lab: lab-build lab-run lab-networks

lab-build: setup-swift
	@Tests/Lab/build
	@Scripts/swift build --enable-all-traits --product LabProbe

lab-run:
	@Tests/Lab/run $(LAB)

lab-networks: setup
	@[ -n "$(DIALTONE_TESTS_BUILT)" ] || Scripts/build-tests
	@Tests/Lab/networks

# Measures the cost beside that of similar tools. `make bench BENCH="latency idle"` runs only these benchmarks;
# `make bench QUICK=1` only checks that all of them run.
bench: setup-swift
	@Benchmarks/run $(if $(QUICK),--quick) $(BENCH)

# Measures what a host of a fleet costs, and a store with a thousand simulated hosts: `make bench-fleet FLEET="--hosts 4000"`.
.PHONY: bench-fleet
bench-fleet: setup release
	@Benchmarks/fleet .build/command/release $(FLEET)

# Fuzzes the parsers of untrusted bytes, each for SECONDS: `make fuzz SECONDS=300 READERS="netlink http"`.
fuzz: setup-swift
	@Fuzzing/run $(or $(SECONDS),30) $(READERS)

# An hour, or SOAK_SECONDS, of random network changes; fails when memory, threads or descriptors grow.
soak: setup-swift
	@Scripts/soak

sanitize: sanitize-address sanitize-thread

# Runs every test under the address sanitizer.
sanitize-address: setup
	@Scripts/in-user-namespace Scripts/sanitize-address

# Runs every test under the thread sanitizer, after checking that it still finds a race.
sanitize-thread: setup
	@Scripts/in-user-namespace Scripts/sanitize-thread

# The runtimes of Swift and C++ are linked statically: the programs start in half the time, and run on machines without Swift. On
# Linux they export no symbols, which saves 0.7 MB, and are stripped; each `.debug` file beside them has a program's symbols.
# `dialtone --version` also prints the commit.
release: setup-build
	@set -e; commit=$$(Scripts/version commit); [ -z "$$commit" ] || export DIALTONE_COMMIT="$$commit"; \
	for program in $(or $(PROGRAMS),dialtone dialtone-server); do \
		if [ "$$(uname)" = Linux ]; then \
			Scripts/swift build -c release $$(Scripts/release-options) --product $$program; \
			Scripts/split-symbols .build/command/release/$$program; \
		else \
			Scripts/swift build -c release --product $$program; \
		fi; \
	done

# The library for programs in C and other languages, in .build/libdialtone: needs binutils.
library: setup-swift
	@Scripts/build-library

# The Python package over this library, as a wheel in .build/python.
python:
	@[ -x .build/python-tools/bin/pip ] || python3 -m venv .build/python-tools
	@rm -rf .build/python && .build/python-tools/bin/pip -q wheel --no-deps --wheel-dir .build/python ./Python
	@rm -rf Python/build Python/src/*.egg-info && ls .build/python/*.whl

# Tests both, after `make library` or the quicker `Scripts/build-library debug`; as root.
test-library:
	@Tests/Library/run

# Installs what `make release` built below PREFIX, and nothing else. `make uninstall` deletes these files, and keeps settings and history.
PREFIX ?= /usr/local
.PHONY: install uninstall
install:
	@Packaging/stage .build/command/release $(PREFIX) $(DESTDIR)
uninstall:
	@files=$$(mktemp -d) && trap 'rm -rf "$$files"' EXIT && Packaging/stage .build/command/release $(PREFIX) "$$files" && \
		(cd "$$files" && find . ! -type d -print0) | (cd "$(DESTDIR)/" && xargs -0 rm -f)

# Debian packages, a tarball, a bill of materials and checksums in .build/package, from what `make release` built: see Packaging.
# `make test-packages` proves them in clean roots of Debian, and boots one.
.PHONY: package test-packages setup-package
package: setup-package
	@Packaging/build

test-packages: setup-package
	@Tests/Packages/run

setup-package:
	@Scripts/setup package

# Makes an OCI image of the released programs in .build/image, on Debian, as root, without a container engine.
image: release
	@Scripts/setup image
	@Scripts/image .build/command/release .build/image

# Makes the pictures of the documents again, as root, from what `Scripts/build-tests` has built: see the script.
.PHONY: pictures
pictures:
	@Scripts/pictures

format:
	@$(SWIFT) format -i -r Package.swift Sources Tests Snippets Examples Benchmarks/Package.swift Benchmarks/Sources \
		Fuzzing/Package.swift Fuzzing/Sources/Fuzz/Fuzz.swift

# Checks the format of the sources, and the wording of the text that people read.
lint:
	@$(SWIFT) format lint --strict -r Package.swift Sources Tests Snippets Examples Benchmarks/Package.swift \
		Benchmarks/Sources Fuzzing/Package.swift Fuzzing/Sources/Fuzz/Fuzz.swift
	@! git grep -nE '^ *(case .*: |.*\{ )?((static |private |let |var |unsafe )*)\([^():]+(, [^():]+)+\) = \(' -- 'Sources/*.swift' || \
		{ echo "One assignment is one statement: no tuples in the place of several." >&2; false; }
	@! find Fuzzing/Modules -type l ! -exec test -e {} \; -print | grep . || { echo "These links lead to files that have moved." >&2; false; }
	@Scripts/check-wording
	@Scripts/check-folders
	@Scripts/check-clocks

setup: setup-swift
	@Scripts/setup

# Installs what `dialtone-server` needs to build.
.PHONY: setup-build
setup-build: setup-swift
	@Scripts/setup build

.PHONY: setup-swift
setup-swift:
	@command -v $(SWIFT) >/dev/null || { echo "Swift 6.2 or later is needed: https://www.swift.org/install" >&2; exit 1; }

clean:
	@rm -rf .build
