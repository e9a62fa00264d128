# Everything is set up by the first target that needs it: a virtual environment in .venv and pip, nothing global.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
KERNELS := pyproject.toml CMakeLists.txt $(wildcard src/celosia/kernels/*.cpp src/celosia/kernels/*.hpp src/celosia/kernels/*.inc)

.PHONY: help test test-all checks demo docs bench clean

help:
	@echo "make demo      the main job on built-in data, from set-up to release"
	@echo "make test      everything that must hold, in a few minutes"
	@echo "make test-all  the slow checks too, and every property on three times as many examples, new ones each time"
	@echo "make docs      the documentation site, in build/site"
	@echo "make bench     time, memory and loss of every search, peers beside (BENCH=--quick: under a minute)"

.venv/ready: $(KERNELS)
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 or newer is needed (PYTHON=... make)"; exit 1; }
	@command -v g++ >/dev/null || command -v clang++ >/dev/null || { echo "a C++20 compiler (g++) is needed"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install --upgrade pip
	$(PIP) install --editable ".[test]"
	# An oracle of the tests. It pins ten packages to old versions, though all that is used of it runs on new ones.
	$(PIP) install --no-deps pycanon==1.3.5
	# pip compiles what it installs, but not what it links to: every start of the program would.
	$(BIN)/python -m compileall -q src
	@touch $@

checks: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

START_UP := tests/contract/test_start_up.py

# Start-up is timed alone: beside other tests the same work takes a fifth more processor time.
test: checks
	$(BIN)/pytest $(START_UP)
	$(BIN)/pytest -n 2 -m "not slow" --ignore $(START_UP)

test-all: checks
	$(BIN)/pytest $(START_UP)
	CELOSIA_TRIES=all $(BIN)/pytest -n 2 --ignore $(START_UP)

demo: .venv/ready
	$(BIN)/celosia demo --overwrite

docs: .venv/ready
	$(PIP) install --editable ".[docs]"
	$(BIN)/mkdocs build --quiet

bench: .venv/ready
	$(PIP) install --editable ".[bench]"
	$(BIN)/python -m benchmarks $(BENCH)

clean:
	rm -rf .venv build dist demo-release .pytest_cache .mypy_cache .ruff_cache .hypothesis
