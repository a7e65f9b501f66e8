import { changeSubjects } from '@tizara/contract/staff-changes'
import { formatUnits } from '@tizara/money'
import { figure, grouped } from '../../access/figures.ts'

/** Stored values of a change, as JSON. */
type Values = Record<string, unknown>
const valuesOf = (json: unknown): Values => (typeof json === 'object' && json !== null ? (json as Values) : {})
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** `fourEyesAboveUsd` as words: "Four eyes above USD". */
const words = (key: string) =>
  key.charAt(0).toUpperCase() +
  key
    .slice(1)
    .replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/\busd\b/, 'USD')

/** The names of fields that titles speak of, and their units. */
const FIELDS: Readonly<Record<string, readonly [string, string]>> = {
  apy: ['', ' %'],
  dailyRoi: ['', ' %'],
  price: ['', ' USD'],
  minimum: ['from', ''],
  duration: ['duration', ''],
}

function shown(value: unknown): string {
  if (typeof value === 'number') return grouped(figure(value), 8)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.every((one) => typeof one === 'number') ? value.join(' · ') : `${value.length} entries`
  return text(value)
}

/** What one coin costs, to four decimals at least: `0.0080`. */
function rate(value: unknown): string {
  const [whole = '0', rest = ''] = formatUnits(figure(value)).split('.')
  return `${whole}.${rest.padEnd(4, '0')}`
}

/** What differs, in a few words: the first field, and how many more. */
function difference(before: Values, value: Values): string {
  const changed = Object.keys(value).filter((key) => key in before && JSON.stringify(before[key]) !== JSON.stringify(value[key]))
  const [first] = changed
  if (first === undefined) return 'nothing'
  const [name = words(first), unit = ''] = FIELDS[first] ?? []
  const more = changed.length > 1 ? `, +${changed.length - 1}` : ''
  return `${name}${name === '' ? '' : ' '}${shown(before[first])} → ${shown(value[first])}${unit}${more}`
}

/** What a change does in a few words, such as `Gold 365: 11 → 9.5 %`. */
export function titleOf({ subject, value, before }: { subject: string; value: unknown; before: unknown }): string {
  const [now, next] = [valuesOf(before), valuesOf(value)]
  const mail = text(next['email'])
  const amount = () => `${grouped(figure(next['amount']), 8)} ${next['asset'] === 'usd' ? 'USD' : 'coin'}`
  const known = changeSubjects.find((one) => one === subject)
  switch (known) {
    case 'price':
      return `Coin ${rate(now['coinPrice'])} → ${rate(next['coinPrice'])} USD`
    case 'plan':
      return before === null
        ? `New plan ${text(next['planName'])}: ${shown(next['apy'])} % in ${shown(next['duration'])} days`
        : `${text(now['planName'])}: ${difference(now, next)}`
    case 'nft':
      return before === null
        ? `New NFT ${text(next['name'])}: ${shown(next['price'])} USD, ${shown(next['duration'])} months`
        : `${text(now['name'])}: ${difference(now, next)}`
    case 'popup':
      return next['isActive'] === true ? `“${text(next['title'])}”` : `No announcement`
    case 'fund':
      return `${amount()} into the pool${next['source'] === 'operator' ? ', from outside' : ''}`
    case 'credit':
      return `${amount()} for ${mail}`
    case 'undo':
      return `Undo a purchase of ${mail}, ${amount()}`
    case 'cancel-rewards':
      return `Take back ${shown(next['rewards'])} held rewards of ${mail}`
    case 'reversal':
      return `Take back transfer ${text(next['transferId'])}, ${amount()}`
    case 'chain-answer':
      return next['answer'] === 'SEEN'
        ? `Go on after ${text(next['what'])}`
        : `Payout ${text(next['id'])}: ${next['answer'] === 'ARRIVED' ? 'it has arrived' : 'give it back'}`
    case 'staff':
      return `${mail}: ${text(now['role']) || 'nobody'} → ${text(next['role'])}`
    case 'status':
      return `${next['status'] === true ? 'Let in' : 'Block'} ${mail}`
    case 'special':
      return `Make ${mail} a special member`
    case 'rank':
      return `${mail}: rank ${text(now['rank']) || 'none'} → ${text(next['rank'])}`
    case 'sessions':
      return `End the sessions of ${mail}`
    case 'second-factor':
      return `Take the second factor off ${mail}`
    case 'lift-stop':
      return `Lift the emergency stop (“${text(next['why'])}”)`
    case 'settings':
    case 'limits':
    case 'programme':
    case 'cover':
    case undefined:
      return difference(now, next)
  }
}
