import { useEffect, useRef } from 'react'
import { shrinkImage } from './shrink-image.ts'
import { fileError } from './support.rules.ts'

/** The form's part that holds the image. */
interface ImageForm<Errors> {
  errors: Errors
  set: (name: 'image', file: File | null) => void
  setErrors: (errors: Errors) => void
}

/**
 * Returns the handler of an image field. It makes a large image smaller and then checks its size (VA-84). A rejected file stays
 * visible with its error until it is replaced or removed; otherwise the text could be sent without its image.
 */
export function useImageField<Errors extends { image?: string }>(form: ImageForm<Errors>): (file: File | null) => void {
  const chosen = useRef<File>(null)
  const latest = useRef(form)
  useEffect(() => {
    latest.current = form
  })
  async function check(file: File): Promise<void> {
    const small = await shrinkImage(file)
    if (chosen.current !== file) return
    if (small !== file) latest.current.set('image', small)
    const errorText = fileError(small)
    if (errorText !== undefined) latest.current.setErrors({ ...latest.current.errors, image: errorText })
  }
  return (file) => {
    chosen.current = file
    form.set('image', file)
    if (file !== null) void check(file)
  }
}
