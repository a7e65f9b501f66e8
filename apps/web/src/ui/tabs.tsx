import { useId, useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { cx } from './cx.ts'

export interface Tab<T extends string> {
  value: T
  label: ReactNode
  /** A small figure after the label. */
  count?: ReactNode
}

export interface TabsProps<T extends string> {
  label: string
  tabs: ReadonlyArray<Tab<T>>
  value: T
  onChange: (value: T) => void
  /** The panel of the chosen tab. */
  children: ReactNode
  className?: string | undefined
}

/** Tabs with one panel; arrow keys change the tab. */
export function Tabs<T extends string>({ label, tabs, value, onChange, children, className }: TabsProps<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  function move(event: KeyboardEvent): void {
    const now = tabs.findIndex((tab) => tab.value === value)
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const index = next % tabs.length
    const tab = tabs[index]
    if (!tab) return
    onChange(tab.value)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus()
  }
  return (
    <div className={className}>
      <div ref={list} role="tablist" aria-label={label} className="flex flex-wrap gap-x-5 border-b">
        {tabs.map((tab) => {
          const on = tab.value === value
          return (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={on}
              aria-controls={`${id}-panel`}
              tabIndex={on ? 0 : -1}
              onClick={() => onChange(tab.value)}
              onKeyDown={move}
              className={cx(
                '-mb-px flex min-h-10 items-center gap-2 rounded-t-sm border-b-2 text-sm font-semi transition-colors',
                on ? 'border-accent-line text-ink' : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {tab.label}
              {tab.count !== undefined && <span className="rounded-full bg-hover px-1.5 text-xs text-muted">{tab.count}</span>}
            </button>
          )
        })}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="pt-4">
        {children}
      </div>
    </div>
  )
}
