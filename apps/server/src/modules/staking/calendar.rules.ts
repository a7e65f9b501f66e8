import { formatFixed, type Units } from '@tizara/money'
import { DAY_MS } from '../../platform/runtime/clock.ts'

/** What is due on one UTC day, of one kind, together. */
export interface DueDay {
  /** `YYYY-MM-DD`. */
  day: string
  kind: 'daily-reward' | 'stake-log-reward' | 'maturity' | 'nft-reward' | 'release'
  asset: 'usd' | 'coin'
  amount: Units
  /** From how many stakes, NFTs or held rewards. */
  sources: number
}

const TITLES: Readonly<Record<DueDay['kind'], string>> = {
  'daily-reward': 'Daily reward',
  'stake-log-reward': 'Omega daily reward',
  maturity: 'Stake matures',
  'nft-reward': 'NFT monthly reward',
  release: 'Held rewards released',
}

const escape = (text: string) => text.replace(/([\\;,])/g, '\\$1').replace(/\r?\n/g, '\\n')

/** Lines of at most 75 octets, continued with a space (RFC 5545, 3.1). */
function fold(line: string): string {
  const parts: string[] = []
  let part = ''
  for (const character of line) {
    if (Buffer.byteLength(part + character) > (parts.length === 0 ? 75 : 74)) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part].join('\r\n ')
}

/** The same amount on several days that follow each other. */
interface Stretch extends DueDay {
  last: string
  days: number
}

const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

/** A year of one daily reward is one entry that repeats, not 365. */
function stretchesOf(days: readonly DueDay[]): Stretch[] {
  const found: Stretch[] = []
  const open = new Map<string, Stretch>()
  for (const due of days.toSorted((a, b) => a.day.localeCompare(b.day))) {
    const key = [due.kind, due.asset, due.amount, due.sources].join()
    const stretch = open.get(key)
    if (stretch !== undefined && dayAfter(stretch.last) === due.day) {
      stretch.last = due.day
      stretch.days += 1
    } else {
      const begun = { ...due, last: due.day, days: 1 }
      open.set(key, begun)
      found.push(begun)
    }
  }
  return found
}

/** By the last day: the first of a stretch is always tomorrow. Every kind is paid in one asset but releases, which are coin and USD. */
const uidOf = ({ last, kind, asset }: Stretch) => `${last}-${kind === 'release' ? `${kind}-${asset}` : kind}`

const compact = (day: string) => day.replaceAll('-', '')

/**
 * The iCalendar text (RFC 5545) of due days, as all-day events; the same amount day after day is one that repeats.
 * @param days what is due, at most once per day, kind and asset
 * @param house the moment of writing, the product's name and the token's symbol
 */
export function calendarText(days: readonly DueDay[], house: { now: Date; name: string; token: string }): string {
  const stamp = `${house.now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const events = stretchesOf(days).flatMap((due) => {
    const unit = due.asset === 'usd' ? 'USD' : house.token
    return [
      'BEGIN:VEVENT',
      `UID:${uidOf(due)}@${escape(house.name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-'))}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${compact(due.day)}`,
      ...(due.days > 1 ? [`RRULE:FREQ=DAILY;COUNT=${due.days}`] : []),
      `SUMMARY:${escape(`${TITLES[due.kind]}: ${formatFixed(due.amount)} ${unit}`)}${due.sources > 1 ? escape(` (${due.sources})`) : ''}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]
  })
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escape(house.name)}//Planner//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escape(house.name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    ...events,
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}
