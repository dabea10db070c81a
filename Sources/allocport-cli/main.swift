print("allocport")
