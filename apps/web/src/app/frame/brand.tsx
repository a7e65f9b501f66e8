import { t } from '@tizara/languages'
import { Link } from 'wouter'
import { useAppConfig } from '../../settings/index.ts'
import { BrandMark } from '../../ui/art/brand-mark.tsx'
import { cx } from '../../ui/cx.ts'

/** Brand mark and name, linked to the home page. */
export function Brand({ href, markOnly, className }: { href: string; markOnly?: boolean; className?: string }) {
  const { brandName } = useAppConfig()
  return (
    <Link
      href={href}
      aria-label={t('{brandName} home', { brandName })}
      className={cx('inline-flex items-center gap-2.5 rounded-lg', className)}
    >
      <BrandMark size={28} />
      {markOnly !== true && <span className="text-md font-strong tracking-head">{brandName}</span>}
    </Link>
  )
}
