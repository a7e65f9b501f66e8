import path from 'node:path'
import base from './vite.config.ts'

/** The console of staff: a build of its own into the same folder, so that members load no byte of it, nor it of theirs. */
export default {
  ...base,
  build: {
    ...base.build,
    emptyOutDir: false,
    manifest: 'staff-manifest.json',
    rolldownOptions: {
      input: path.join(import.meta.dirname, 'staff.html'),
      // What several views need comes with the frame: few files, because many small ones are slower.
      output: {
        codeSplitting: {
          groups: [{ name: 'base', test: /node_modules|packages\/|src\/(ui|lib|app|settings)\/|src\/staff\/lib\//, minShareCount: 2 }],
        },
      },
    },
  },
}
