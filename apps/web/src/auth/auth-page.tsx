import type { ReactNode } from 'react'

/** Every authentication page's heading, sentence and form. */
export function AuthPage({
  title,
  intro,
  children,
  footer,
}: {
  title: string
  intro?: ReactNode
  children: ReactNode
  footer?: ReactNode
}) {
  return (
    <>
      <h1 className="text-3xl font-strong tracking-num">{title}</h1>
      {intro !== undefined && intro !== false && <p className="mt-2 text-muted">{intro}</p>}
      <div className="mt-7">{children}</div>
      {footer !== undefined && (
        <div className="mt-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-3 text-sm text-muted">{footer}</div>
      )}
    </>
  )
}
