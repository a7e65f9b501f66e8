import { type Translate, texts } from '@tizara/languages'
import { formatFixed, type Units } from '@tizara/money'
import { DAY_MS } from '../../platform/runtime/clock.ts'

/** Payments due on one UTC day, grouped by kind and asset. */
export interface DueDay {
  /** `YYYY-MM-DD`. */
  day: string
  kind: 'daily-reward' | 'stake-log-reward' | 'maturity' | 'nft-reward' | 'release'
  asset: 'usd' | 'coin'
  amount: Units
  /** Number of stakes, NFTs or pending rewards. */
  sources: number
}

const TITLES: Readonly<Record<DueDay['kind'], string>> = texts({
  'daily-reward': 'Daily reward',
  'stake-log-reward': 'Omega daily reward',
  maturity: 'Stake matures',
  'nft-reward': 'NFT monthly reward',
  release: 'Pending rewards released',
})

const escape = (text: string) => text.replace(/([\\;,])/g, '\\$1').replace(/\r?\n/g, '\\n')

/** Folds a line at 75 octets, with a space before each continuation (RFC 5545, 3.1). */
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

/** The same amount on consecutive days. */
interface DaySpan extends DueDay {
  last: string
  days: number
}

const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

/** Merges consecutive days with equal payments, so that a year of one daily reward is one repeating entry and not 365 entries. */
function spansOf(days: readonly DueDay[]): DaySpan[] {
  const found: DaySpan[] = []
  const open = new Map<string, DaySpan>()
  for (const due of days.toSorted((a, b) => a.day.localeCompare(b.day))) {
    const key = [due.kind, due.asset, due.amount, due.sources].join()
    const stretch = open.get(key)
    if (stretch !== undefined && dayAfter(stretch.last) === due.day) {
      stretch.last = due.day
      stretch.days += 1
    } else {
      const group = { ...due, last: due.day, days: 1 }
      open.set(key, group)
      found.push(group)
    }
  }
  return found
}

/** Uses the last day as the id, because all ranges start tomorrow. Each kind has one asset, except releases in coin and USD. */
const uidOf = ({ last, kind, asset }: DaySpan) => `${last}-${kind === 'release' ? `${kind}-${asset}` : kind}`

const compact = (day: string) => day.replaceAll('-', '')

/**
 * Returns an iCalendar text (RFC 5545) with all-day events. Equal amounts on consecutive days become one repeating event.
 * @param days payments, at most one per day, kind and asset
 * @param platform current time, product name, token symbol, and the language of the titles
 */
export function calendarText(days: readonly DueDay[], platform: { now: Date; name: string; token: string; t: Translate }): string {
  const stamp = `${platform.now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const events = spansOf(days).flatMap((due) => {
    const unit = due.asset === 'usd' ? 'USD' : platform.token
    return [
      'BEGIN:VEVENT',
      `UID:${uidOf(due)}@${escape(platform.name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-'))}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${compact(due.day)}`,
      ...(due.days > 1 ? [`RRULE:FREQ=DAILY;COUNT=${due.days}`] : []),
      `SUMMARY:${escape(`${platform.t(TITLES[due.kind])}: ${formatFixed(due.amount)} ${unit}`)}${due.sources > 1 ? escape(` (${due.sources})`) : ''}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]
  })
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escape(platform.name)}//Planner//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escape(platform.name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    ...events,
    'END:VCALENDAR',
  ]
  return `${lines.map(fold).join('\r\n')}\r\n`
}
