import { formatFixed, type Units } from '@tizara/money'

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

/** Every kind is paid in one asset but releases, which are coin and USD. */
const uidOf = ({ kind, asset }: DueDay) => (kind === 'release' ? `${kind}-${asset}` : kind)

const compact = (day: string) => day.replaceAll('-', '')

/**
 * The iCalendar text (RFC 5545) of due days, each an all-day event.
 * @param days what is due
 * @param house the moment of writing, the product's name and the token's symbol
 */
export function calendarText(days: readonly DueDay[], house: { now: Date; name: string; token: string }): string {
  const stamp = `${house.now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const events = days.flatMap((due) => {
    const unit = due.asset === 'usd' ? 'USD' : house.token
    return [
      'BEGIN:VEVENT',
      `UID:${due.day}-${uidOf(due)}@${escape(house.name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-'))}`,
      `DTSTAMP:${stamp}`,
      `DTSTART;VALUE=DATE:${compact(due.day)}`,
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
