import { createRoot } from 'react-dom/client'
import './gallery.css'
import { Gallery } from './gallery.tsx'

const root = document.getElementById('root')
if (location.search.includes('dark')) document.body.classList.add('dark')
if (root) createRoot(root).render(<Gallery />)
