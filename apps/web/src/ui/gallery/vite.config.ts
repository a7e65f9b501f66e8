import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vite'

/** The preview page of the components; no part of the product. `vite --config apps/web/src/ui/gallery/vite.config.ts` */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: { outDir: `${tmpdir()}/ui-gallery`, emptyOutDir: true },
})
