import { getValidatorsByBlockNumber } from '../shared/getValidatorsByBlockNumber.ts'

export const ibft_getValidatorsByBlockNumber = getValidatorsByBlockNumber('ibft')
