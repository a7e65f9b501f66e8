type Translate = (text: string, values?: Readonly<Record<string, string | number>>) => string
type Values = Readonly<Record<string, string | number>>

/**
 * Texts of responses that contain values. Responses are English, and the app finds the text by these forms to translate it
 * (docs/decisions/0065-languages.md). A form that also matches a longer text comes after its form.
 */
export const valueTexts = [
  '{wallet} has {amount} USD.',
  '{wallet} has {amount} coin.',
  'Taken from {wallet}',
  'Arrived in {wallet}',
  "1 to 1, up to {limit} % of the ICO Wallet's balance",
  'fee {fee} % of the amount, deducted from it; a rejected request returns the full amount',
  'platform fee {platformFee} % and network fee {networkFee} % of the amount, deducted from it; a rejected request returns the full amount',
  'Level {level} of the upline: {percent} % of the coin bought with new money',
  'Level {level} of the upline: {percent} % of the stake × {days} ÷ {fullDays} days',
  'Level {level} of the upline: {percent} % of the stake',
  'Level {level} of the upline: {percent} % of the NFT price',
  'Level {level} of the upline: {percent} % of the reward',
  'Rank {rank}: {amount} coin once, filled by stakes of the team that mature while it stakes {threshold} coin or more',
  'Filled by maturing stakes; counted team stake {amount} coin',
  '{amount} × {percent} % ÷ {steps} days',
  '{amount} × {percent} % ÷ {steps} months',
  'For {amount} of {bought} coin: the rest was bought with money that was not deposited, or that earned a reward before',
  '{days} days, because its purchase can be reversed until then',
  '{days} days',
  '{count} of {steps} paid',
  '{count} of {steps}',
  'Arrived; credited after {blocks} confirmations',
  'Deposit {id}',
  'Payment {id}',
  'Transaction {id}',
  'Returned to {address}',
  'Being returned to {address}',
  'More than {rows} movements: please choose the CSV file',
] as const

type ValueText = (typeof valueTexts)[number]
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Fills the values into a text of a response. */
export const fillText = <Text extends ValueText>(text: Text, values: Readonly<Record<NamesIn<Text>, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String((values as Values)[name]))

/** Values that are words. All others are figures, so that a sentence of a person does not look like one of the forms. */
const WORDS: Readonly<Record<string, string>> = { wallet: '[A-Za-z ]+', rank: '.{1,60}', id: '\\S+', address: '\\S+' }

let forms: readonly { text: ValueText; pattern: RegExp }[] | undefined

function formsOf(): NonNullable<typeof forms> {
  forms ??= valueTexts.map((text) => {
    const source = text
      .split(/\{(\w+)\}/)
      .map((part, index) => (index % 2 === 0 ? part.replaceAll(/[.?()]/g, String.raw`\$&`) : `(?<${part}>${WORDS[part] ?? '[\\d.,]+'})`))
    return { text, pattern: new RegExp(`^${source.join('')}$`) }
  })
  return forms
}

/**
 * Translates a text of a response, with or without values.
 * @param t returns the text itself if it has no translation
 */
export function translateResponse(text: string, t: Translate): string {
  const known = t(text)
  if (known !== text) return known
  for (const form of formsOf()) {
    const found = form.pattern.exec(text)?.groups
    if (found === undefined) continue
    // Whole numbers choose a plural. Other figures stay texts, to keep their decimals.
    const read = (value: string) => (/^[1-9]\d{0,14}$/.test(value) ? Number(value) : t(value))
    return t(form.text, Object.fromEntries(Object.entries(found).map(([name, value]) => [name, read(value)])))
  }
  return text
}
