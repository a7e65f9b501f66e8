import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isSeen } from '@tizara/contract/text'

const require = createRequire(import.meta.url)

/**
 * The scripts that files for people carry: Latin with its accents, Greek, Cyrillic. All are written from left to right, so
 * that no text of somebody's choice turns the line that it stands in.
 */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext'] as const
export type Subset = (typeof SUBSETS)[number]

/** Bytes of the font of a script; figures in it are all of one width. */
export const fontOf = (subset: Subset): Buffer =>
  readFileSync(require.resolve(`@fontsource/noto-sans/files/noto-sans-${subset}-400-normal.woff`))

let ranges: readonly (readonly [Subset, readonly (readonly [number, number])[]])[] | undefined

/** Which characters each font has, as its package says. */
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

/**
 * A text in runs of one font each; undefined when it has a character that none of them has, or that is not seen: a text with
 * gaps would be another one.
 */
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
