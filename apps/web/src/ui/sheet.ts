import { cx } from './cx.ts'

/**
 * Returns the classes of a sheet: a dialog near the top of the window, opened by `useModal`. A `sheetFootClass` element after the content
 * stays visible while the content scrolls.
 */
export const sheetClass = (size: 'sm' | 'md' = 'md'): string =>
  cx(
    'mx-auto mt-[92px] mb-auto max-h-[min(80dvh,720px)] rounded-xl border bg-surface p-0 shadow-elevate',
    size === 'sm' ? 'w-[min(460px,calc(100vw-24px))]' : 'w-[min(640px,calc(100vw-24px))]',
  )

/** Button row at the foot of a sheet. */
export const sheetFootClass = 'sticky bottom-0 flex justify-end gap-2 border-t bg-surface px-[18px] py-3'
