import { t } from '@tizara/languages'
import { useId } from 'react'
import type { ReactNode } from 'react'
import X from 'lucide-react/icons/x'
import { cx } from './cx.ts'
import { IconButton } from './icon-button.tsx'
import { useModal } from './use-modal.ts'
import type { ModalOptions } from './use-modal.ts'

export interface DialogProps extends ModalOptions {
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
}

/** Modal dialog; a full-height sheet on phones. Renders its content only while open. */
export function Dialog({ title, description, children, ...modal }: DialogProps) {
  const id = useId()
  const bind = useModal(modal)
  return (
    <dialog
      {...bind}
      aria-labelledby={id}
      aria-describedby={description ? `${id}-text` : undefined}
      className={cx(
        'm-0 h-dvh max-h-none w-full max-w-none flex-col bg-surface open:flex open:animate-in',
        'sm:m-auto sm:h-fit sm:max-h-[min(90dvh,860px)] sm:max-w-[480px] sm:rounded-2xl sm:border sm:shadow-elevate',
      )}
    >
      {modal.open && (
        <>
          <div className="flex items-start gap-3 px-5 pt-5 sm:px-6">
            <div className="min-w-0 flex-1">
              <h2 id={id} className="text-lg font-strong tracking-head">
                {title}
              </h2>
              {description && (
                <p id={`${id}-text`} className="mt-1 text-sm text-muted">
                  {description}
                </p>
              )}
            </div>
            <IconButton label={t('Close')} onClick={modal.onClose} disabled={modal.closable === false} className="-mt-1.5 -me-2">
              <X aria-hidden="true" />
            </IconButton>
          </div>
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-5 pt-4 pb-5 *:[form]:flex *:[form]:flex-1 *:[form]:flex-col sm:px-6 sm:pb-6">
            {children}
          </div>
        </>
      )}
    </dialog>
  )
}

/** Dialog buttons, the main one last; always visible. May be inside the dialog's form. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 -mx-5 mt-auto -mb-5 bg-surface px-5 pt-5 pb-5 sm:-bottom-6 sm:-mx-6 sm:-mb-6 sm:px-6 sm:pb-6">
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>
    </div>
  )
}
