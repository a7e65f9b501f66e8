import { Notice } from '../../ui/notice.tsx'

/** What went wrong, or nothing. */
export const Fault = ({ text, className }: { text: string | undefined; className?: string }) =>
  text === undefined ? null : (
    <Notice tone="danger" className={className}>
      {text}
    </Notice>
  )
