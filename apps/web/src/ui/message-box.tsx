import { t, texts } from '@tizara/languages'
import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import Check from 'lucide-react/icons/check'
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { messageStore } from './message-store.ts'
import type { MessageIcon } from './message-store.ts'
import { useModal } from './use-modal.ts'

export { confirmMessage, showMessage } from './message-store.ts'
export type { ConfirmOptions, MessageIcon, MessageOptions } from './message-store.ts'

const ICON = {
  success: [Check, 'bg-success-soft text-success'],
  error: [X, 'bg-danger-soft text-danger'],
  warning: [TriangleAlert, 'bg-warning-soft text-warning'],
  info: [Info, 'bg-accent-soft text-accent'],
  question: [CircleQuestionMark, 'bg-accent-soft text-accent'],
} as const
const WORDS = texts({ success: 'Success', error: 'Error', warning: 'Warning', info: 'Information', question: 'Question' })

export interface MessageBoxProps {
  open: boolean
  icon?: MessageIcon | undefined
  title: ReactNode
  text?: ReactNode
  children?: ReactNode
  okLabel?: string | undefined
  onOk: () => unknown
  /** Adds a second button. */
  cancelLabel?: string | undefined
  onCancel?: (() => void) | undefined
  danger?: boolean | undefined
  autoCloseMs?: number | undefined
}

/** Small modal message with icon, title, text and one or two buttons. */
export function MessageBox(props: MessageBoxProps) {
  const { open, icon = 'info', title, text, children, okLabel = t('OK'), onOk, cancelLabel, onCancel, danger, autoCloseMs } = props
  const id = useId()
  const close = useRef(onCancel ?? onOk)
  useEffect(() => {
    close.current = onCancel ?? onOk
  })
  useEffect(() => {
    if (!open || !autoCloseMs) return
    const timer = setTimeout(() => close.current(), autoCloseMs)
    return () => clearTimeout(timer)
  }, [open, autoCloseMs])
  const bind = useModal({ open, onClose: () => close.current() })
  const [Icon, style] = ICON[icon]
  return (
    <dialog
      {...bind}
      role="alertdialog"
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      className="m-auto max-h-[90dvh] w-[calc(100%-32px)] max-w-[380px] flex-col items-center overflow-y-auto rounded-2xl border bg-surface p-6 text-center shadow-elevate open:flex open:animate-in"
    >
      {open && (
        <>
          <span className={cx('grid size-12 place-items-center rounded-full', style)}>
            <Icon size={22} aria-hidden="true" />
            <span className="sr-only">{WORDS[icon]}</span>
          </span>
          <h2 id={id} className="mt-4 text-lg font-strong tracking-head">
            {title}
          </h2>
          <div id={`${id}-text`} className="mt-1.5 w-full text-muted">
            {text}
            {children && <div className="mt-4 text-start text-ink">{children}</div>}
          </div>
          <div className="mt-6 flex w-full gap-2">
            {cancelLabel && (
              <Button className="flex-1" data-autofocus={danger ? true : undefined} onClick={() => close.current()}>
                {cancelLabel}
              </Button>
            )}
            <Button className="flex-1" variant={danger ? 'danger' : 'primary'} onClick={onOk} data-autofocus={danger ? undefined : true}>
              {okLabel}
            </Button>
          </div>
        </>
      )}
    </dialog>
  )
}

/** Shows queued `showMessage` and `confirmMessage` calls one at a time. Mount once near the root. */
export function MessageHost() {
  const message = useSyncExternalStore(messageStore.subscribe, messageStore.get, messageStore.get)[0]
  if (!message) return null
  const { id, kind, answer, confirmLabel = t('Yes'), cancelLabel = t('Cancel'), ...rest } = message
  return kind === 'confirm' ? (
    <MessageBox
      key={id}
      open
      {...rest}
      icon={rest.icon ?? 'question'}
      okLabel={confirmLabel}
      cancelLabel={cancelLabel}
      onOk={() => answer(true)}
      onCancel={() => answer(false)}
    />
  ) : (
    <MessageBox key={id} open {...rest} onOk={() => answer(true)} />
  )
}
