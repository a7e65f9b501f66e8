import { cx } from './cx.ts'

/**
 * Returns sheet classes: a dialog near the window's top, opened by `useModal`. A `sheetFootClass` element after the content stays visible
 * while the content scrolls.
 */
export const sheetClass = (size: 'sm' | 'md' = 'md'): string =>
  cx(
    'mx-auto mt-[92px] mb-auto max-h-[min(80dvh,720px)] rounded-xl border bg-surface p-0 shadow-elevate',
    size === 'sm' ? 'w-[min(460px,calc(100vw-24px))]' : 'w-[min(640px,calc(100vw-24px))]',
  )

/** Button row at a sheet's foot. */
export const sheetFootClass = 'sticky bottom-0 flex justify-end gap-2 border-t bg-surface px-[18px] py-3'
