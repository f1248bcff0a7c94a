import { describe, expect, it } from 'vitest';

const sources = import.meta.glob<string>(['../**/*.svelte', './*.css'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The declarations of a stylesheet or of a component's style, with the lines they stand in. */
const declarations = (text: string) =>
  [...text.matchAll(/^\s+([\w-]+): ([^;{}]+);/gm)].map(([, name = '', value = '']) => ({
    name,
    value,
  }));

const styles = Object.entries(sources).map(([file, text]) => ({
  file,
  all: declarations(
    file.endsWith('.css') ? text : (/<style>([^]*)<\/style>/.exec(text)?.[1] ?? ''),
  ),
}));

describe('the look of things', () => {
  it('has its sizes of type from the scale, or from the text around', () => {
    const own = styles.flatMap(({ file, all }) =>
      all
        .filter(
          ({ name, value }) =>
            name === 'font-size' && !/^(var\(--text-|[\d.]+em$|inherit)/.test(value),
        )
        .map(({ value }) => `${file}: ${value}`),
    );
    expect(own).toEqual([]);
  });

  it('has its spaces from the scale', () => {
    const LARGEST = 4.5; // a larger one is a place on a page, not a space between things
    const own = styles.flatMap(({ file, all }) =>
      all
        .filter(({ name, value }) => {
          const sizes = [...value.matchAll(/([\d.]+)rem/g)].map(([, n]) => Number(n));
          return (
            /^(row-|column-)?gap$|padding|margin/.test(name) && sizes.some((n) => n <= LARGEST)
          );
        })
        .map(({ name, value }) => `${file}: ${name}: ${value}`),
    );
    expect(own).toEqual([]);
  });

  it('grows with the type: only lines and hairs are measured in pixels', () => {
    const THICK = 4;
    const hard = styles.flatMap(({ file, all }) =>
      all
        .filter(({ name, value }) => {
          const pixels = [...value.matchAll(/([\d.]+)px/g)].map(([, n]) => Number(n));
          return name !== '--radius-round' && pixels.some((n) => n > THICK);
        })
        .map(({ name, value }) => `${file}: ${name}: ${value}`),
    );
    expect(hard).toEqual([]);
  });

  it('asks the body how large the window is, which counts in letters', () => {
    const asked = Object.entries(sources)
      .filter(([, text]) => /@media[^{]*\((?:max|min)-(?:width|height)/.test(text))
      .map(([file]) => file);
    expect(asked).toEqual([]);
  });

  it('is read at all', () => {
    expect(styles.reduce((n, s) => n + s.all.length, 0)).toBeGreaterThan(1000);
  });
});
