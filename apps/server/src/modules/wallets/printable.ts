import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isSeen } from '@tizara/contract/text'
import bidiFactory, { type Bidi } from 'bidi-js'

const require = createRequire(import.meta.url)
/** The types of the package describe a module with a default export, but the package exports the function itself. */
const bidi = (bidiFactory as unknown as () => Bidi)()

/**
 * Scripts in generated files: Latin with accents, Greek, Cyrillic, Arabic. Latin is the first, because its font has the punctuation that
 * scripts share.
 */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'arabic'] as const
export type Subset = (typeof SUBSETS)[number]

/** Part of a text with one font and one direction. */
export interface PrintableRun {
  subset: Subset
  /** Characters from left to right. The font reverses Arabic letters, which are in the order of reading. */
  text: string
}

/** Reads the font of a script. Digits have equal widths, and a form of a letter has one glyph, so that readers can select letters. */
export function fontOf(subset: Subset): Buffer {
  const file =
    subset === 'arabic'
      ? require.resolve('@fontsource/vazirmatn/files/vazirmatn-arabic-400-normal.woff')
      : require.resolve(`@fontsource/noto-sans/files/noto-sans-${subset}-400-normal.woff`)
  return readFileSync(file)
}

/** Letters, marks and digits of Arabic, Persian, Urdu and Kurdish in the font, whose package also names characters that the font lacks. */
const ARABIC =
  'U+060C,U+061B,U+061F,U+0621-063A,U+0640-0652,U+0660-0671,U+0679,U+067E,U+0686,U+0688,U+0691,U+0695,U+0698,U+06A4,U+06A9,U+06AF,U+06B5,U+06BA,U+06BE,U+06C0-06C3,U+06C6-06D0,U+06D2-06D5,U+06F0-06F9'
/** Zero-width non-joiner between Arabic letters: part of the spelling of Persian words. */
const NON_JOINER = /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})/gu
/** Marks with which the translator isolates a value from the direction of the text around it. Only the order of the runs shows them. */
const ISOLATES = /[\u2068\u2069]/g

let ranges: readonly (readonly [Subset, readonly (readonly [number, number])[]])[] | undefined

/** Returns each font's characters, from its package. */
function readRanges() {
  const read: Record<string, string> = JSON.parse(readFileSync(require.resolve('@fontsource/noto-sans/unicode.json'), 'utf8'))
  return SUBSETS.map((subset) => {
    const known = (subset === 'arabic' ? ARABIC : (read[subset] ?? '')).split(',').map((range) => {
      const [first = '', last = first] = range.replace('U+', '').split('-')
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
    })
    return [subset, known] as const
  })
}

function subsetOf(character: string): Subset | undefined {
  const point = character.codePointAt(0) ?? 0
  ranges ??= readRanges()
  return ranges.find(([, known]) => known.some(([first, last]) => first <= point && point <= last))?.[0]
}

/**
 * Splits a text into runs, in the order of reading. Returns undefined if a character is invisible or has no font, since gaps would change
 * the text.
 * @param isTranslated true for a text of the product, whose values are isolated; a name with such marks is not printable
 * @returns the runs, and their order on the line from left to right
 */
export function printableRuns(text: string, isTranslated: boolean): { runs: PrintableRun[]; visualOrder: PrintableRun[] } | undefined {
  const shown = text.normalize('NFC')
  const joined = shown.replaceAll(NON_JOINER, '')
  if (!isSeen(isTranslated ? joined.replaceAll(ISOLATES, '') : joined)) return undefined
  const embedding = bidi.getEmbeddingLevels(shown, 'auto')
  const mirrored = bidi.getMirroredCharactersMap(shown, embedding.levels)
  const runs: (PrintableRun & { level: number })[] = []
  const runAt: (number | undefined)[] = []
  let index = 0
  for (const character of shown) {
    const level = embedding.levels[index] ?? 0
    const last = runs.at(-1)
    if (character.search(ISOLATES) < 0) {
      // A space or non-joiner continues the Arabic word before it, because the font shapes complete texts.
      const continues = last?.subset === 'arabic' && last.level === level && /[ \u200c]/.test(character)
      const subset = continues ? 'arabic' : subsetOf(character)
      if (subset === undefined) return undefined
      const drawn = mirrored.get(index) ?? character
      if (last?.subset === subset && last.level === level) last.text += drawn
      else runs.push({ subset, text: drawn, level })
      runAt[index] = runs.length - 1
    }
    index += character.length
  }
  for (const run of runs) if (run.level % 2 === 1 && !/\p{Script=Arabic}/u.test(run.text)) run.text = [...run.text].toReversed().join('')
  const order = bidi.getReorderedIndices(shown, embedding).flatMap((position) => runAt[position] ?? [])
  return { runs, visualOrder: [...new Set(order)].flatMap((position) => runs[position] ?? []) }
}
