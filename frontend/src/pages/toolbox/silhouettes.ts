// Tools as shapes on the wall, 64 by 64, drawn for this program. Holes are cut by the even-odd rule.

const shapes: Record<string, string> = {
  nav: 'M32 3 L57 60 L32 47 L7 60 Z',
  movie:
    'M9 28 H41 a4 4 0 0 1 4 4 V55 a4 4 0 0 1 -4 4 H9 a4 4 0 0 1 -4 -4 V32 a4 4 0 0 1 4 -4 Z M47 38 L60 30 V57 L47 49 Z M16 5 a10.5 10.5 0 1 1 -.1 0 Z M16 12 a3.5 3.5 0 1 0 .1 0 Z M36 8 a9 9 0 1 1 -.1 0 Z M36 14 a3 3 0 1 0 .1 0 Z',
  song: 'M22 11 L56 4 V45 a8.5 7 0 1 1 -6 -6.7 V19 L28 23.5 V52 a8.5 7 0 1 1 -6 -6.7 Z',
  weather:
    'M30 3 H34 V7.2 C49 8 60 19 60 34 C56 30 50 30 46 34 C43 30.5 38 30 34 32.6 V52 a8 8 0 0 1 -16 0 H22 a4 4 0 0 0 8 0 V32.6 C26 30 21 30.5 18 34 C14 30 8 30 4 34 C4 19 15 8 30 7.2 Z',
  calculator:
    'M16 3 H48 a5 5 0 0 1 5 5 V56 a5 5 0 0 1 -5 5 H16 a5 5 0 0 1 -5 -5 V8 a5 5 0 0 1 5 -5 Z M18 10 V22 H46 V10 Z M18 28 V34 H25 V28 Z M28.5 28 V34 H35.5 V28 Z M39 28 V34 H46 V28 Z M18 38 V44 H25 V38 Z M28.5 38 V44 H35.5 V38 Z M39 38 V54 H46 V38 Z M18 48 V54 H35.5 V48 Z',
  timer:
    'M13 3 H51 V10 H47 C47 20 43 26 36.5 32 C43 38 47 44 47 54 H51 V61 H13 V54 H17 C17 44 21 38 27.5 32 C21 26 17 20 17 10 H13 Z M23 11 C23.4 15 24.6 18 26.5 20.5 H37.5 C39.4 18 40.6 15 41 11 Z',
  clock: 'M32 3 a29 29 0 1 1 -.1 0 Z M29.5 13 V34 L43 45 L46.5 40.6 L35 31.2 V13 Z',
  transfer:
    'M7 15 H57 a4 4 0 0 1 4 4 V45 a4 4 0 0 1 -4 4 H7 a4 4 0 0 1 -4 -4 V19 a4 4 0 0 1 4 -4 Z M32 22 a10 10 0 1 0 .1 0 Z M10 22 V27 H15 V22 Z M49 37 V42 H54 V37 Z',
  hybrid_search:
    'M26 3 a23 23 0 0 1 18.2 37 L60 55.8 L55.8 60 L40 44.2 A23 23 0 1 1 26 3 Z M26 11 a15 15 0 1 0 .1 0 Z',
  get_article_by_index:
    'M4 10 C13 6 22 6 30.5 12 V58 C22 52.5 13 52.5 4 56 Z M60 10 C51 6 42 6 33.5 12 V58 C42 52.5 51 52.5 60 56 Z M10 19 V23 C15 21.6 19 22 25 24.4 V20.4 C19 18 15 17.6 10 19 Z',
  get_article_by_title:
    'M15 3 H50 a3 3 0 0 1 3 3 V61 H15 a5 5 0 0 1 -5 -5 V8 a5 5 0 0 1 5 -5 Z M36 3 V26 L41 21.5 L46 26 V3 Z M16 51 V56 H48 V51 Z',
  lookup_standard_contract:
    'M12 3 H40 L53 16 V61 H12 Z M19 22 V26 H44 V22 Z M19 31 V35 H44 V31 Z M38 42 a7.5 7.5 0 1 0 .1 0 Z',
};

const wrench =
  'M44 4 A15 15 0 0 0 30.4 25.4 L6.6 49.2 A6 6 0 0 0 14.8 57.4 L38.6 33.6 A15 15 0 0 0 59.4 15.8 L50 25.2 L41.4 22.6 L38.8 14 L48.2 4.6 A15 15 0 0 0 44 4 Z';

/** The outline of a tool; a wrench for a tool nobody has drawn. */
export const silhouette = (tool: string): string => shapes[tool] ?? wrench;
