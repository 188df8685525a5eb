sh: 1: ./new3: not found
