// The form of a puzzle is that of a turn, and is posted without script.

import './page.js'
import { setUp } from './board.js'

setUp()
