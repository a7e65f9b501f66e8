import { t } from '@tizara/languages'
import { useEffect, useRef, useState } from 'react'
import type { DragEvent } from 'react'
import Paperclip from 'lucide-react/icons/paperclip'
import X from 'lucide-react/icons/x'
import { cx } from './cx.ts'
import { useFieldBinding } from './field-context.ts'
import { IconButton } from './icon-button.tsx'

export interface FileInputProps {
  name?: string | undefined
  /** Accessible name, if no field labels the input. */
  label?: string | undefined
  /** As in the native attribute: `image/png,image/jpeg`. */
  accept?: string | undefined
  value: File | null
  onChange: (file: File | null) => void
  prompt?: string | undefined
  clearLabel?: string | undefined
  disabled?: boolean | undefined
  className?: string | undefined
}

function size(bytes: number): string {
  return bytes < 1000 * 1000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

function Preview({ file }: { file: File }) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const url = URL.createObjectURL(file)
    if (image.current) image.current.src = url
    return () => URL.revokeObjectURL(url)
  }, [file])
  return <img ref={image} alt="" className="size-10 rounded-md border object-cover" />
}

/** Selects one file by dialog or drop, previews an image, and clears the selection. */
export function FileInput(props: FileInputProps) {
  const {
    name,
    label,
    accept,
    value,
    onChange,
    prompt = t('Choose a file or drop it here'),
    clearLabel = t('Remove file'),
    disabled,
    className,
  } = props
  const input = useRef<HTMLInputElement>(null)
  const [isDragOver, setIsDragOver] = useState(false)
  const bound = useFieldBinding()
  useEffect(() => {
    if (!value && input.current) input.current.value = ''
  }, [value])

  function drop(event: DragEvent): void {
    event.preventDefault()
    setIsDragOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !disabled) onChange(file)
  }

  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setIsDragOver(true)
      }}
      onDragLeave={() => setIsDragOver(false)}
      onDrop={drop}
      className={cx(
        'relative flex min-h-14 items-center gap-3 rounded-lg border border-dashed border-line-input p-2 ps-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent-line',
        isDragOver && 'border-accent-line bg-accent-soft',
        bound['aria-invalid'] && 'border-danger',
        disabled && 'opacity-50',
        className,
      )}
    >
      {value?.type.startsWith('image/') ? <Preview file={value} /> : <Paperclip size={18} aria-hidden="true" className="text-faint" />}
      <span className="min-w-0 flex-1">
        <span className="block truncate text-ink">{value ? value.name : prompt}</span>
        {value && <span className="block text-xs text-faint">{size(value.size)}</span>}
      </span>
      <input
        {...bound}
        ref={input}
        type="file"
        aria-label={label}
        name={name}
        accept={accept}
        disabled={disabled}
        onChange={(event) => onChange(event.target.files?.[0] ?? null)}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      {value && (
        <IconButton label={clearLabel} disabled={disabled} onClick={() => onChange(null)} className="relative z-1">
          <X aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}
