import type { Catalogue } from './catalogue.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ALPHABETS = { ltr: 'äḅçđëƒğħïĵķļɱñöþʠŕşţüṽŵẋýž', rtl: 'ابتثجحخدذرزسشصضطظعغفقكلمنه' }

/** Parts of a message that are no words: placeholders, plural options, tags. */
const SYNTAX =
  /(\{\w+, (?:plural|select|selectordinal),|(?:=\d+|zero|one|two|few|many|other|run|transfer|bridge|withdrawal|address) \{|\{\w+\}|<\/?\w+>|[#}])/
const PLAIN_SYNTAX = /(\{\w+\}|<\/?\w+>)/

/** Makes a text of a made-up language: other letters, 40 % longer. */
function madeUp(source: string, letters: readonly string[]): string {
  const replaced = source.split(/, (?:plural|select)/.test(source) ? SYNTAX : PLAIN_SYNTAX).map((part, index) => {
    if (index % 2 === 1) return part
    const word = [...part].map((letter) => letters[LETTERS.indexOf(letter.toLowerCase())] ?? letter).join('')
    const more = (letters[5] ?? '').repeat(Math.floor((part.match(/[a-z]/gi)?.length ?? 0) * 0.4))
    return word.replace(/(\p{L})(\P{L}*)$/u, `$1${more}$2`)
  })
  return replaced.join('')
}

/**
 * Returns a made-up language, for tests: 40 % longer, with accents or Arabic letters, and without any English letter.
 * @param sources the English texts
 */
export function madeUpCatalogue(language: string, direction: 'ltr' | 'rtl', sources: readonly string[]): Catalogue {
  const letters = [...ALPHABETS[direction]]
  const texts = Object.fromEntries(sources.map((source) => [source, madeUp(source, letters)]))
  return { language, name: language, direction, reviewed: true, texts }
}
