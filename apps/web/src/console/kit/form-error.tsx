import { Notice } from '../../ui/notice.tsx'

/** Shows an error text, or nothing. */
export const FormError = ({ text, className }: { text: string | undefined; className?: string }) =>
  text === undefined ? null : (
    <Notice tone="danger" className={className}>
      {text}
    </Notice>
  )
