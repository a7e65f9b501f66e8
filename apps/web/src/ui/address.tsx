import { t } from '@tizara/languages'
import { cx } from './cx.ts'

/** Splits an address into four-character groups; a leading 0x stays in the first group. */
export function addressGroups(address: string): string[] {
  const [, head = '', body = ''] = /^(0x)?(.*)$/is.exec(address) ?? []
  const groups = body.match(/.{1,4}/gs) ?? []
  return groups.length ? [head + groups[0], ...groups.slice(1)] : [address]
}

/** Shortens an address to its first and last characters: `0x9f1a…12fE`. */
export const shortAddress = (address: string): string => (address.length > 11 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address)

export interface AddressProps {
  value: string
  className?: string | undefined
}

/** Shows a chain address in four-character groups for comparison. The copied text has no gaps. */
export function Address({ value, className }: AddressProps) {
  return (
    <span dir="ltr" className={cx('font-mono text-[0.93em] leading-relaxed', className)}>
      {addressGroups(value).map((group, i) => (
        <span key={i} className={cx('me-[0.6ch] inline-block', i % 2 === 1 && 'text-muted')}>
          {group}
        </span>
      ))}
    </span>
  )
}

/** Shows a full transaction hash, with a link to the block explorer if one is configured. */
export function ChainTransaction({ hash, url }: { hash: string; url?: string | undefined }) {
  const text = (
    <span dir="ltr" className="font-mono text-xs break-all">
      {hash}
    </span>
  )
  if (url === undefined || !/^https?:\/\//.test(url)) return text
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className="link">
      {text}
      <span className="sr-only"> {t('(opens an explorer of the chain)')}</span>
    </a>
  )
}
