import { openTicketImage } from '@tizara/contract/staff-tickets'
import Eye from 'lucide-react/icons/eye'
import { useState } from 'react'
import { call, toApiError } from '../../../lib/http/api.ts'
import { useMay, useWhoCan } from '../../kit/me.tsx'
import { SendButton } from '../../kit/offline.tsx'

/**
 * Loads the image only on request, because each view is written to the audit log. The server re-encodes it as WebP, and the page uses it
 * only in an `<img>`.
 */
export function TicketImage({ ticketId, image, alt }: { ticketId: string; image: string; alt: string }) {
  const may = useMay('openTicketImage')
  const whoCan = useWhoCan('openTicketImage')
  const [source, setSource] = useState<string>()
  const [errorText, setErrorText] = useState<string>()
  async function show(): Promise<void> {
    try {
      const name = image.split('/').at(-1) ?? ''
      const { data } = await call(openTicketImage, { params: { id: ticketId }, body: { image: name } })
      setSource(`data:image/webp;base64,${data.base64}`)
    } catch (error) {
      setErrorText(toApiError(error).message)
    }
  }
  if (source !== undefined) return <img className="mt-2 max-h-[420px] max-w-full rounded-md border" src={source} alt={alt} />
  return (
    <p className="flex min-w-0 items-center gap-2 mt-2">
      <SendButton
        size="sm"
        icon={<Eye size={14} aria-hidden="true" />}
        aria-disabled={!may}
        title={may ? undefined : whoCan}
        onClick={show}
      >
        Show the image
      </SendButton>
      <span className="text-xs text-faint">{errorText ?? 'Viewing is recorded in the audit log.'}</span>
    </p>
  )
}
