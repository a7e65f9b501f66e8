import { Link } from 'wouter'
import { cx } from '../../ui/cx.ts'
import { pathOf } from './pages.ts'
import { countOf, type FrameParts } from './sidebar.tsx'

export function TabBar({ view, views, work }: FrameParts) {
  return (
    <nav className="fixed inset-x-0 bottom-0 z-6 grid h-14 grid-cols-[repeat(5,1fr)] border-t bg-surface md:hidden" aria-label="Views">
      {views
        .filter((one) => one.menu.onPhone === true)
        .map((one) => {
          const forMe = countOf(work, one.name)?.forMe ?? 0
          return (
            <Link
              key={one.name}
              href={pathOf(one)}
              className={cx(
                'relative grid place-items-center content-center gap-0.5 text-[11px] leading-[14px] [&>svg]:size-5',
                one === view ? 'font-semi text-accent' : 'text-muted',
              )}
              aria-current={one === view ? 'page' : undefined}
            >
              <one.icon aria-hidden="true" />
              {one.title}
              {forMe > 0 && (
                <em className="absolute top-1.5 left-[calc(50%+6px)] h-4 min-w-4 rounded-full bg-accent px-1 text-center text-[10px]/4 font-semibold text-on-accent not-italic">
                  {forMe > 99 ? '99+' : forMe}
                  <span className="sr-only"> for you</span>
                </em>
              )}
            </Link>
          )
        })}
    </nav>
  )
}
