import { getValidatorsByBlockNumber } from '../../validators/getValidatorsByBlockNumber.ts'

export const ibft_getValidatorsByBlockNumber = getValidatorsByBlockNumber('ibft')
