import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isSeen } from '@tizara/contract/text'

const require = createRequire(import.meta.url)

/**
 * Scripts in generated files: Latin with accents, Greek, Cyrillic. All are left-to-right, so that the text of a member cannot reverse a
 * line.
 */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'] as const
export type Subset = (typeof SUBSETS)[number]

/** Reads the font of a script. The digits have equal widths. */
export const fontOf = (subset: Subset): Buffer =>
  readFileSync(require.resolve(`@fontsource/noto-sans/files/noto-sans-${subset}-400-normal.woff`))

let ranges: readonly (readonly [Subset, readonly (readonly [number, number])[]])[] | undefined

/** Returns each font's characters, from its package. */
function rangesOf() {
  const read: Record<string, string> = JSON.parse(readFileSync(require.resolve('@fontsource/noto-sans/unicode.json'), 'utf8'))
  ranges ??= SUBSETS.map((subset) => [
    subset,
    (read[subset] ?? '').split(',').map((range) => {
      const [first = '', last = first] = range.replace('U+', '').split('-')
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const
    }),
  ])
  return ranges
}

const subsetOf = (character: string): Subset | undefined => {
  const point = character.codePointAt(0) ?? 0
  return rangesOf().find(([, known]) => known.some(([first, last]) => first <= point && point <= last))?.[0]
}

/** Splits a text into single-font runs. Returns undefined if a character is invisible or has no font, since gaps would change the text. */
export function printableRuns(text: string): { subset: Subset; text: string }[] | undefined {
  if (!isSeen(text)) return undefined
  const runs: { subset: Subset; text: string }[] = []
  for (const character of text.normalize('NFC')) {
    const subset = subsetOf(character)
    if (subset === undefined) return undefined
    const last = runs.at(-1)
    if (last?.subset === subset) last.text += character
    else runs.push({ subset, text: character })
  }
  return runs
}
