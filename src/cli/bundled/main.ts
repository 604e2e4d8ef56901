import { loadProgram, programFile } from './loadProgram.ts'

loadProgram(programFile)
