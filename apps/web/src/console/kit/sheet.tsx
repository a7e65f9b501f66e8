import { type ReactNode, useId } from 'react'
import { useModal } from '../../ui/use-modal.ts'
import { sheetClass, sheetFootClass } from '../../ui/sheet.ts'
import { Button } from '../../ui/button.tsx'

/** A dialog for reading, over the page. */
export function Sheet({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const id = useId()
  const bind = useModal({ open: true, onClose, closeOnOutside: true })
  return (
    <dialog {...bind} className={sheetClass('sm')} aria-labelledby={id}>
      <div className="px-4 pt-3 pb-4 grid gap-3.5">
        <h2 id={id} className="text-base font-semi tracking-head">
          {title}
        </h2>
        {children}
      </div>
      <div className={sheetFootClass}>
        <Button onClick={onClose}>Close</Button>
      </div>
    </dialog>
  )
}
