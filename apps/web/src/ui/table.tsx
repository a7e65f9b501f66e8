import { t } from '@tizara/languages'
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { cx } from './cx.ts'

export interface TableProps extends ComponentProps<'table'> {
  /** Reduces row height, for comparing figures. */
  dense?: boolean | undefined
  /** On phones each row becomes a card; `data-label` names each cell. */
  folds?: boolean | undefined
}

/** Console table. `folds` turns rows into cards on phones; other tables scroll inside a frame with keyboard access. */
export function Table({ dense, folds, className, ...rest }: TableProps) {
  const table = (
    <table
      {...rest}
      className={cx(
        'w-full border-collapse',
        '[&_th]:border-b [&_th]:px-2.5 [&_th]:py-[7px] [&_thead_th]:text-start [&_thead_th]:text-xs [&_thead_th]:font-medium [&_thead_th]:whitespace-nowrap [&_thead_th]:text-faint',
        '[&_tbody_th]:text-start [&_tbody_th]:font-semi [&_td]:border-b [&_td]:px-2.5 [&_td]:align-middle',
        dense ? '[&_td]:py-[5px]' : '[&_td]:py-[7px]',
        '[&_tr>*:first-child]:ps-4 [&_tr>*:last-child]:pe-4 [&_tbody:last-child>tr:last-child>*]:border-b-0',
        '[&_.text-end]:text-end [&_tbody_tr:hover]:bg-raised',
        folds &&
          'max-md:block max-md:[&_td]:flex max-md:[&_td]:min-w-0 max-md:[&_td]:justify-between max-md:[&_td]:gap-3 max-md:[&_td]:border-0 max-md:[&_td]:px-4 max-md:[&_td]:py-[3px] max-md:[&_td]:text-end max-md:[&_td]:wrap-anywhere max-md:[&_td:first-child]:text-start max-md:[&_td[data-label]]:before:text-start max-md:[&_td[data-label]]:before:font-sans max-md:[&_td[data-label]]:before:text-xs max-md:[&_td[data-label]]:before:text-faint max-md:[&_td[data-label]]:before:content-[attr(data-label)] max-md:[&_tbody_th]:block max-md:[&_tbody_th]:border-0 max-md:[&_tbody_th]:px-4 max-md:[&_tbody_th]:py-[3px] max-md:[&_td:empty]:hidden max-md:[&_thead]:sr-only max-md:[&_tbody]:block max-md:[&_tr]:block max-md:[&_tr]:border-b max-md:[&_tr]:py-2',
        className,
      )}
    />
  )
  return folds ? table : <SidewaysScroll>{table}</SidewaysScroll>
}

/** Scrolls overflowing content. Takes focus only while it overflows. */
function SidewaysScroll({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  const [overflows, setOverflows] = useState(false)
  // Measures before the first paint, so that the frame is never shown without keyboard access.
  useLayoutEffect(() => {
    const { current } = frame
    if (current === null) return
    const measure = () => setOverflows(current.scrollWidth > current.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    // Also observes the table: it can outgrow the frame while the frame keeps its size.
    for (const element of [current, ...current.children]) observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={frame}
      className="scroll-hint overflow-x-auto"
      {...(overflows ? { role: 'group', 'aria-label': t('Table, scrolls sideways'), tabIndex: 0 } : {})}
    >
      {children}
    </div>
  )
}
