import { cx } from './cx.ts'

/**
 * The classes of a sheet: a dialog near the top of the window, for search, reading and acts. `useModal` opens it.
 * Its content is followed by `sheetFootClass`, which stays in sight while the content scrolls.
 */
export const sheetClass = (size: 'sm' | 'md' = 'md'): string =>
  cx(
    'mx-auto mt-[92px] mb-auto max-h-[min(80dvh,720px)] rounded-xl border bg-surface p-0 shadow-elevate',
    size === 'sm' ? 'w-[min(460px,calc(100vw-24px))]' : 'w-[min(640px,calc(100vw-24px))]',
  )

/** The line of buttons at the foot of a sheet. */
export const sheetFootClass = 'sticky bottom-0 flex justify-end gap-2 border-t bg-surface px-[18px] py-3'
