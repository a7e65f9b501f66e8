import { t } from '@tizara/languages'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { cx } from './cx.ts'
import { pageCount, pagerRange } from './pager-range.ts'
import { T } from './t.tsx'

export interface PagerProps {
  page: number
  limit: number
  total: number
  onPage: (page: number) => void
  label?: string | undefined
  className?: string | undefined
}

const CELL = 'grid h-8 min-w-7 place-items-center rounded-md px-1 text-sm sm:min-w-8 sm:px-1.5 transition-colors'

/** Shows the visible row range and total, with page buttons. */
export function Pager({ page, limit, total, onPage, label = t('Pages'), className }: PagerProps) {
  const pages = pageCount(total, limit)
  const number = (value: number): string => value.toLocaleString('en-US')
  const step = (to: number, name: string, Icon: typeof ChevronLeft) => (
    <li>
      <button
        type="button"
        aria-label={name}
        title={name}
        disabled={to < 1 || to > pages}
        onClick={() => onPage(to)}
        className={cx(CELL, 'text-muted hover:bg-hover disabled:opacity-40')}
      >
        <Icon size={16} aria-hidden="true" className="rtl:-scale-x-100" />
      </button>
    </li>
  )
  return (
    <div className={cx('flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-muted', className)}>
      <span>
        <T
          text="{range} of {total}"
          range={page > pages || total === 0 ? '0' : `${number((page - 1) * limit + 1)}–${number(Math.min(page * limit, total))}`}
          total={number(total)}
        />
      </span>
      {pages > 1 && (
        <nav aria-label={label}>
          <ul className="-mx-1 flex flex-wrap items-center">
            {step(page - 1, t('Previous page'), ChevronLeft)}
            {pagerRange(page, pages).map((p, i) => (
              <li key={p ?? `gap-${i}`}>
                {p === null ? (
                  <span aria-hidden="true" className={'grid h-8 w-5 place-items-center text-faint'}>
                    …
                  </span>
                ) : (
                  <button
                    type="button"
                    aria-label={t('Page {p}', { p })}
                    aria-current={p === page ? 'page' : undefined}
                    onClick={() => onPage(p)}
                    className={cx(CELL, p === page ? 'bg-accent-soft font-strong text-ink' : 'text-muted hover:bg-hover hover:text-ink')}
                  >
                    {p}
                  </button>
                )}
              </li>
            ))}
            {step(page + 1, t('Next page'), ChevronRight)}
          </ul>
        </nav>
      )}
    </div>
  )
}
