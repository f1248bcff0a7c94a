//go:build !unix

package folders

import "os"

const openFlags = os.O_RDONLY
