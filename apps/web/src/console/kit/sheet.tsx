import { type ReactNode, useId } from 'react'
import { useModal } from '../../ui/use-modal.ts'

/** Something to read over the page. */
export function Sheet({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const id = useId()
  const bind = useModal({ open: true, onClose, closeOnOutside: true })
  return (
    <dialog {...bind} className="sheet small" aria-labelledby={id}>
      <div className="in g">
        <h2 id={id} className="t">
          {title}
        </h2>
        {children}
      </div>
      <div className="ft">
        <button type="button" className="btn" onClick={onClose}>
          Close
        </button>
      </div>
    </dialog>
  )
}
