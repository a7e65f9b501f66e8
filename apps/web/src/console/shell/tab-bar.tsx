import { Link } from 'wouter'
import { pathOf } from './pages.ts'
import { countOf, type FrameParts } from './sidebar.tsx'

export function TabBar({ view, views, work }: FrameParts) {
  return (
    <nav className="tabbar" aria-label="Views">
      {views
        .filter((one) => one.menu.onPhone === true)
        .map((one) => {
          const forMe = countOf(work, one.name)?.forMe ?? 0
          return (
            <Link key={one.name} href={pathOf(one)} className={one === view ? 'on' : ''} aria-current={one === view ? 'page' : undefined}>
              <one.icon aria-hidden="true" />
              {one.title}
              {forMe > 0 && (
                <em>
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
