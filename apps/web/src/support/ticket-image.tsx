import { t } from '@tizara/languages'
import ImageOff from 'lucide-react/icons/image-off'
import { useEffect, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { loadFile } from '../lib/http/load-file.ts'
import { imageLocation } from './image-location.ts'

export interface TicketImageProps {
  /** Value from the server. */
  image: string
  /** Alternative text for screen readers. */
  alt: string
  /** Shows a small square thumbnail. */
  thumb?: boolean | undefined
}

/** Returns the image's displayable URL; null if there is none. */
function useImageUrl(image: string): string | null | undefined {
  const found = imageLocation(image)
  const [loaded, setLoaded] = useState<{ image: string; source: string | null }>()
  const { kind, address } = found
  useEffect(() => {
    if (kind !== 'api') return
    const stop = new AbortController()
    let source: string | undefined
    loadFile(address, stop.signal).then(
      (blob) => {
        source = URL.createObjectURL(blob)
        setLoaded({ image, source })
      },
      (error: unknown) => {
        if (stop.signal.aborted) return
        console.error(error)
        setLoaded({ image, source: null })
      },
    )
    return () => {
      stop.abort()
      if (source !== undefined) URL.revokeObjectURL(source)
    }
  }, [image, kind, address])
  if (kind === 'open') return address
  if (kind === 'elsewhere') return null
  return loaded?.image === image ? loaded.source : undefined
}

/** Shows a ticket image, loaded with the session; it opens full size in a new tab. */
export function TicketImage({ image, alt, thumb }: TicketImageProps) {
  const source = useImageUrl(image)
  const [broken, setBroken] = useState(false)
  const frame = thumb ? 'size-12 rounded-lg' : 'h-48 w-72 max-w-full rounded-lg'
  const found = imageLocation(image)
  if (found.kind === 'elsewhere' && found.address !== '') {
    return (
      <a href={found.address} target="_blank" rel="noreferrer noopener" className="link text-sm">
        {t('Open the image')}
      </a>
    )
  }
  if (source === undefined) return <Skeleton className={frame} />
  if (source === null || broken) {
    return (
      <span className={cx('grid place-items-center border bg-raised text-faint', frame)} title={t('The image could not be loaded')}>
        <ImageOff size={18} aria-hidden="true" />
        <span className="sr-only">{t('The image could not be loaded')}</span>
      </span>
    )
  }
  const drawn = (
    <img
      src={source}
      alt={alt}
      onError={() => setBroken(true)}
      className={cx('border bg-raised', thumb ? 'object-cover' : 'object-contain', frame)}
    />
  )
  if (thumb) return drawn
  return (
    <a href={source} target="_blank" rel="noreferrer noopener" className="block rounded-lg">
      {drawn}
    </a>
  )
}
