import { t } from '@tizara/languages'
import { useId } from 'react'
import type { ReactNode } from 'react'
import X from 'lucide-react/icons/x'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'
import { useModal } from './use-modal.ts'
import type { ModalOptions } from './use-modal.ts'

export interface DrawerProps extends ModalOptions {
  title: ReactNode
  /** `left` is for navigation drawers; the title is then only read out. */
  side?: 'right' | 'left' | undefined
  closeLabel?: string | undefined
  children?: ReactNode
}

/** Side panel for receipts and details; a full sheet on phones. A press outside closes it. */
export function Drawer({ title, side = 'right', closeLabel = t('Close'), children, ...modal }: DrawerProps) {
  const id = useId()
  const bind = useModal({ closeOnOutside: true, ...modal })
  const left = side === 'left'
  return (
    <dialog
      {...bind}
      aria-labelledby={id}
      className={cx(
        'fixed inset-y-0 m-0 h-dvh max-h-none max-w-none flex-col bg-surface open:flex',
        left
          ? 'end-auto start-0 w-[min(300px,86vw)] border-e open:animate-in'
          : 'end-0 start-auto w-full open:animate-side sm:w-[420px] sm:border-s',
      )}
    >
      {modal.open && (
        <>
          <header className={cx('flex items-center gap-3 px-5 pt-4 pb-2', left && 'absolute top-0 end-0 z-10 px-3')}>
            <h2 id={id} className={left ? 'sr-only' : 'min-w-0 flex-1 text-md font-strong tracking-head'}>
              {title}
            </h2>
            <IconButton label={closeLabel} onClick={modal.onClose} className="-me-2">
              <X aria-hidden="true" />
            </IconButton>
          </header>
          <div className={cx('min-h-0 flex-1 overflow-y-auto', !left && 'px-5 pt-2 pb-6')}>{children}</div>
        </>
      )}
    </dialog>
  )
}
