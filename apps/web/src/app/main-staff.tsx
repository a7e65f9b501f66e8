import '../console/shell/console.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadMissingAppConfig } from '../settings/index.ts'
import { Console } from '../console/shell/console.tsx'
import { followTheme } from './theme.ts'

// Staff console entry, separate from the member app and its routes (GN-04, RT-58): staff.html.
const root = document.getElementById('root')
if (root !== null) {
  followTheme()
  createRoot(root).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  )
  void loadMissingAppConfig()
}
