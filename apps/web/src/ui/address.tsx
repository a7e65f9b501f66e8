import { cx } from './cx.ts'

/** Splits an address into groups of four; a leading 0x stays with the first group. */
export function addressGroups(address: string): string[] {
  const [, head = '', body = ''] = /^(0x)?(.*)$/is.exec(address) ?? []
  const groups = body.match(/.{1,4}/gs) ?? []
  return groups.length ? [head + groups[0], ...groups.slice(1)] : [address]
}

/** `0x9f1a…12fE`: the first and last characters. */
export function shortAddress(address: string, lead = 6, tail = 4): string {
  return address.length > lead + tail + 1 ? `${address.slice(0, lead)}…${address.slice(-tail)}` : address
}

export interface AddressProps {
  value: string
  /** First and last characters only; the whole stands in the title. */
  short?: boolean | undefined
  className?: string | undefined
}

/** A chain address: whole, in groups of four that a person can compare, or shortened. Copies without gaps. */
export function Address({ value, short, className }: AddressProps) {
  if (short) {
    return (
      <span title={value} className={cx('font-mono text-[0.93em] whitespace-nowrap', className)}>
        {shortAddress(value)}
      </span>
    )
  }
  return (
    <span className={cx('font-mono text-[0.93em] leading-relaxed', className)}>
      {addressGroups(value).map((group, i) => (
        <span key={i} className={cx('mr-[0.6ch] inline-block', i % 2 === 1 && 'text-muted')}>
          {group}
        </span>
      ))}
    </span>
  )
}

/** A transaction on the chain, whole, with the way to an explorer where the house names one. */
export function ChainTransaction({ hash, url }: { hash: string; url?: string | undefined }) {
  const text = <span className="font-mono text-xs break-all">{hash}</span>
  if (url === undefined || !/^https?:\/\//.test(url)) return text
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className="link">
      {text}
      <span className="sr-only"> (opens an explorer of the chain)</span>
    </a>
  )
}
